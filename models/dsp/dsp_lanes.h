// Loops over elements, instantiated over a meaning. Files that hold them are compiled for the
// host's common instructions and, where the compiler knows it, once more for AVX2: everything here
// lies in a namespace of that name, so that the two never mix.
#pragma once

#include <cstdint>
#include <cstring>

#include "models/dsp/dsp_vector_op.h"

#ifndef PRESIL_DSP_LANES
#define PRESIL_DSP_LANES plain
#endif

namespace presil::dsp::PRESIL_DSP_LANES {

enum Sign { kUnsigned, kSigned };

template <unsigned bits, Sign sign>
struct LaneOf;
// clang-format off
template <> struct LaneOf<8, kUnsigned> { using Type = uint8_t; };
template <> struct LaneOf<16, kUnsigned> { using Type = uint16_t; };
template <> struct LaneOf<32, kUnsigned> { using Type = uint32_t; };
template <> struct LaneOf<64, kUnsigned> { using Type = uint64_t; };
template <> struct LaneOf<8, kSigned> { using Type = int8_t; };
template <> struct LaneOf<16, kSigned> { using Type = int16_t; };
template <> struct LaneOf<32, kSigned> { using Type = int32_t; };
template <> struct LaneOf<64, kSigned> { using Type = int64_t; };
// clang-format on
template <unsigned bits, Sign sign>
using Lane = typename LaneOf<bits, sign>::Type;

template <class T>
constexpr unsigned kBits = sizeof(T) * 8;
template <class T>
constexpr bool kIsSigned = T(-1) < T(0);
template <class T>
using Unsigned = Lane<kBits<T>, kUnsigned>;
template <class T>
constexpr T kMost = kIsSigned<T> ? T(Unsigned<T>(~Unsigned<T>(0)) >> 1) : T(~Unsigned<T>(0));
template <class T>
constexpr T kLeast = T(~kMost<T>);
/// Wide enough for a product of two lanes.
template <class T>
struct DoubleOf {
  using Type = Lane<2 * kBits<T>, kIsSigned<T> ? kSigned : kUnsigned>;
};
template <class T>
using Double = typename DoubleOf<T>::Type;
/// Arithmetic without overflow of int: at least 32 bits, unsigned.
template <class T>
using Free = Lane<(kBits<T> < 32 ? 32 : kBits<T>), kUnsigned>;

template <class T>
T* lanes(uint8_t* p) {
  return reinterpret_cast<T*>(p);
}
template <class T>
const T* lanes(const uint8_t* p) {
  return reinterpret_cast<const T*>(p);
}

// Legal overlaps have the same index, or a destination that never runs ahead of the source: the
// elements of one trip of a vectorised loop are read before any of them is written.
#define PRESIL_DSP_LANE_LOOP _Pragma("GCC ivdep")

/// A kernel for each form and SEW, null where it is not listed.
#define PRESIL_DSP_KERNELS(loop, F, sign)                                \
  Kernels {                                                              \
    {                                                                    \
      {loop<F, Lane<8, sign>, false>, loop<F, Lane<16, sign>, false>,    \
       loop<F, Lane<32, sign>, false>, loop<F, Lane<64, sign>, false>},  \
      {                                                                  \
        loop<F, Lane<8, sign>, true>, loop<F, Lane<16, sign>, true>,     \
            loop<F, Lane<32, sign>, true>, loop<F, Lane<64, sign>, true> \
      }                                                                  \
    }                                                                    \
  }
/// The same up to SEW 32.
#define PRESIL_DSP_KERNELS_32(loop, F, sign)                          \
  Kernels {                                                           \
    {                                                                 \
      {loop<F, Lane<8, sign>, false>, loop<F, Lane<16, sign>, false>, \
       loop<F, Lane<32, sign>, false>, nullptr},                      \
      {                                                               \
        loop<F, Lane<8, sign>, true>, loop<F, Lane<16, sign>, true>,  \
            loop<F, Lane<32, sign>, true>, nullptr                    \
      }                                                               \
    }                                                                 \
  }

template <class F, class T, bool scalar>
void binary_loop(const Call& c) {
  T* d = lanes<T>(c.d);
  const T* a = lanes<T>(c.s2);
  const T* b = lanes<T>(c.s1);
  const T x = static_cast<T>(c.scalar);
  PRESIL_DSP_LANE_LOOP
  for (size_t i = c.begin, n = c.n; i < n; ++i) d[i] = F::template f<T>(a[i], scalar ? x : b[i]);
}
template <class F, Sign sign>
Kernels binary() {
  return PRESIL_DSP_KERNELS(binary_loop, F, sign);
}

/// d = f(d, vs2, vs1)
template <class F, class T, bool scalar>
void ternary_loop(const Call& c) {
  T* d = lanes<T>(c.d);
  const T* was = lanes<T>(c.was);
  const T* a = lanes<T>(c.s2);
  const T* b = lanes<T>(c.s1);
  const T x = static_cast<T>(c.scalar);
  PRESIL_DSP_LANE_LOOP
  for (size_t i = c.begin, n = c.n; i < n; ++i)
    d[i] = F::template f<T>(was[i], a[i], scalar ? x : b[i]);
}
template <class F>
Kernels ternary() {
  return PRESIL_DSP_KERNELS(ternary_loop, F, kUnsigned);
}

/// A byte per element: 0 or 1.
template <class F, class T, bool scalar>
void compare_loop(const Call& c) {
  uint8_t* d = c.d;
  const T* a = lanes<T>(c.s2);
  const T* b = lanes<T>(c.s1);
  const T x = static_cast<T>(c.scalar);
  PRESIL_DSP_LANE_LOOP
  for (size_t i = c.begin, n = c.n; i < n; ++i)
    d[i] = static_cast<uint8_t>(F::template f<T>(a[i], scalar ? x : b[i]));
}
template <class F, Sign sign>
Kernels compare() {
  return PRESIL_DSP_KERNELS(compare_loop, F, sign);
}

/// With a bit of v0 as an operand.
template <class F, class T, bool scalar>
void carry_loop(const Call& c) {
  T* d = lanes<T>(c.d);
  const T* a = lanes<T>(c.s2);
  const T* b = lanes<T>(c.s1);
  const uint8_t* v0 = c.mask;
  const T x = static_cast<T>(c.scalar);
  PRESIL_DSP_LANE_LOOP
  for (size_t i = c.begin, n = c.n; i < n; ++i)
    d[i] = F::template f<T>(a[i], scalar ? x : b[i], T(v0[i]));
}
template <class F>
Kernels carry() {
  return PRESIL_DSP_KERNELS(carry_loop, F, kUnsigned);
}
/// The same to a byte per element; v0 may be no operand.
template <class F, class T, bool scalar>
void carry_out_loop(const Call& c) {
  const T* a = lanes<T>(c.s2);
  const T* b = lanes<T>(c.s1);
  const T x = static_cast<T>(c.scalar);
  for (size_t i = c.begin, n = c.n; i < n; ++i)
    c.d[i] = static_cast<uint8_t>(
        F::template f<T>(a[i], scalar ? x : b[i], T(c.mask == nullptr ? 0 : c.mask[i])));
}
template <class F>
Kernels carry_out() {
  return PRESIL_DSP_KERNELS(carry_out_loop, F, kUnsigned);
}

/// Results of 2 SEW of operands of SEW: vs2 of sign A, vs1 of sign B.
template <class F, unsigned bits, Sign A, Sign B, bool wide2, bool scalar>
void widen_loop(const Call& c) {
  using W = Lane<2 * bits, kUnsigned>;
  using SA = Lane<bits, A>;
  using SB = Lane<bits, B>;
  W* d = lanes<W>(c.d);
  const W* was = lanes<W>(c.was);
  const SA* a = lanes<SA>(c.s2);
  const W* w = lanes<W>(c.s2);
  const SB* b = lanes<SB>(c.s1);
  const SB x = static_cast<SB>(c.scalar);
  PRESIL_DSP_LANE_LOOP
  for (size_t i = c.begin, n = c.n; i < n; ++i)
    d[i] = F::template f<W>(was[i], wide2 ? w[i] : static_cast<W>(a[i]),
                            static_cast<W>(scalar ? x : b[i]));
}
template <class F, Sign A, Sign B, bool wide2 = false>
Kernels widen() {
  return {{{widen_loop<F, 8, A, B, wide2, false>, widen_loop<F, 16, A, B, wide2, false>,
            widen_loop<F, 32, A, B, wide2, false>, nullptr},
           {widen_loop<F, 8, A, B, wide2, true>, widen_loop<F, 16, A, B, wide2, true>,
            widen_loop<F, 32, A, B, wide2, true>, nullptr}}};
}

/// Results of SEW of vs2 of 2 SEW.
template <class F, class T, bool scalar>
void narrow_loop(const Call& c) {
  using W = Double<T>;
  T* d = lanes<T>(c.d);
  const W* a = lanes<W>(c.s2);
  const Unsigned<T>* b = lanes<Unsigned<T>>(c.s1);
  const auto x = static_cast<Unsigned<T>>(c.scalar);
  PRESIL_DSP_LANE_LOOP
  for (size_t i = c.begin, n = c.n; i < n; ++i)
    d[i] = static_cast<T>(F::template f<W>(a[i], scalar ? x : b[i]));
}
template <class F, Sign sign>
Kernels narrow() {
  return PRESIL_DSP_KERNELS_32(narrow_loop, F, sign);
}

/// One operand, of another width.
template <class D, class S>
void extend_loop(const Call& c) {
  D* d = lanes<D>(c.d);
  const S* a = lanes<S>(c.s2);
  PRESIL_DSP_LANE_LOOP
  for (size_t i = c.begin, n = c.n; i < n; ++i) d[i] = static_cast<D>(a[i]);
}

/// The same loop in all places: for what does not depend on SEW, or reads it elsewhere.
inline Kernels always(Kernel k) {
  return {{{k, k, k, k}, {k, k, k, k}}};
}

// What instructions of a kind have in common.
inline constexpr Shape kBinary{Width::kSew, Width::kSew, Width::kSew, 0, Commit::kElements, 'v'};
inline constexpr Shape kMultiplyAdd{Width::kSew, Width::kSew,       Width::kSew,
                                    kTernary,    Commit::kElements, 'v'};
inline constexpr Shape kCompare{Width::kMask, Width::kSew, Width::kSew, 0, Commit::kBits, 'v'};
inline constexpr Shape kWiden{Width::kWide, Width::kSew, Width::kSew, 0, Commit::kElements, 'v'};
inline constexpr Shape kWidenAdd{Width::kWide, Width::kSew,       Width::kSew,
                                 kTernary,     Commit::kElements, 'v'};
inline constexpr Shape kWidenWide{Width::kWide,      Width::kWide, Width::kSew, 0,
                                  Commit::kElements, 'w'};
inline constexpr Shape kNarrow{Width::kSew, Width::kWide, Width::kSew, 0, Commit::kElements, 'w'};

}  // namespace presil::dsp::PRESIL_DSP_LANES
