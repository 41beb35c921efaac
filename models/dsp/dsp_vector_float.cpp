// Vector floating point of 32 bits. An instruction runs on the host's floating point first. Where
// that raises more than inexact, gives a NaN, or cannot round as asked, every active element is
// computed again by Binary32, which knows each flag.
#include "models/dsp/dsp_families.h"
#include "models/dsp/dsp_float.h"
#include "models/dsp/dsp_host_float.h"
#include "models/dsp/dsp_vector_state.h"

namespace presil::dsp::PRESIL_DSP_LANES {
namespace {

constexpr uint32_t kOne = 0x3f800000;

#if defined(__FMA__) || !defined(__SSE2__)
constexpr bool kHostFuses = true;
#else
constexpr bool kHostFuses = false;  // fmaf would be a call
#endif

/// A meaning twice: on the host, and exactly, of vd's element d, vs2's a, vs1's or the scalar's b.
#define MEANING(Name, fuses, host, by_bits)                                                      \
  struct Name {                                                                                  \
    static constexpr bool kFuses = fuses;                                                        \
    static float f([[maybe_unused]] float d, float a, [[maybe_unused]] float b) { return host; } \
    static uint32_t exact(Binary32& m, [[maybe_unused]] uint32_t d, uint32_t a,                  \
                          [[maybe_unused]] uint32_t b) {                                         \
      return by_bits;                                                                            \
    }                                                                                            \
  };
constexpr uint32_t kSign = 0x80000000;
MEANING(Add, false, a + b, m.add(a, b))
MEANING(Sub, false, a - b, m.sub(a, b))
MEANING(Rsub, false, b - a, m.sub(b, a))
MEANING(Mul, false, a* b, m.mul(a, b))
MEANING(Div, false, a / b, m.div(a, b))
MEANING(Rdiv, false, b / a, m.div(b, a))
MEANING(Sqrt, false, __builtin_sqrtf(a), m.sqrt(a))
MEANING(Macc, true, __builtin_fmaf(b, a, d), m.fma(b, a, d))
MEANING(Nmacc, true, __builtin_fmaf(-b, a, -d), m.fma(b ^ kSign, a, d ^ kSign))
MEANING(Msac, true, __builtin_fmaf(b, a, -d), m.fma(b, a, d ^ kSign))
MEANING(Nmsac, true, __builtin_fmaf(-b, a, d), m.fma(b ^ kSign, a, d))
MEANING(Madd, true, __builtin_fmaf(b, d, a), m.fma(b, d, a))
MEANING(Nmadd, true, __builtin_fmaf(-b, d, -a), m.fma(b ^ kSign, d, a ^ kSign))
MEANING(Msub, true, __builtin_fmaf(b, d, -a), m.fma(b, d, a ^ kSign))
MEANING(Nmsub, true, __builtin_fmaf(-b, d, a), m.fma(b ^ kSign, d, a))
#undef MEANING

bool active(const Call& c, size_t i) {
  return c.mask == nullptr || c.mask[i] != 0;
}

/// Inactive elements become 1.0, which raises nothing.
const float* quiet(const uint8_t* from, const Call& c, uint8_t* copy) {
  if (c.mask == nullptr) return lanes<float>(from);
  const auto* s = lanes<uint32_t>(from);
  auto* d = lanes<uint32_t>(copy);
  const uint8_t* mask = c.mask;
  PRESIL_DSP_LANE_LOOP
  for (size_t i = c.begin, n = c.n; i < n; ++i) d[i] = mask[i] != 0 ? s[i] : kOne;
  return lanes<float>(copy);
}

template <class F, bool scalar>
[[gnu::noinline]] bool host_loop(float* d, const float* was, const float* a, const float* b,
                                 float x, size_t begin, size_t n) {
  uint32_t nans = 0;
  PRESIL_DSP_LANE_LOOP
  for (size_t i = begin; i < n; ++i) {
    const float r = F::f(was[i], a[i], scalar ? x : b[i]);
    nans |= r != r ? 1 : 0;
    d[i] = r;
  }
  return nans == 0;
}

void to_active(const Call& c, const uint32_t* from) {
  auto* d = lanes<uint32_t>(c.d);
  const uint8_t* mask = c.mask;
  if (mask == nullptr) {
    if (c.begin < c.n) std::memcpy(d + c.begin, from + c.begin, (c.n - c.begin) * sizeof(*d));
    return;
  }
  PRESIL_DSP_LANE_LOOP
  for (size_t i = c.begin, n = c.n; i < n; ++i) d[i] = mask[i] != 0 ? from[i] : d[i];
}

template <class F, bool scalar>
void float_loop(const Call& c) {
  Hart& h = *c.hart;
  auto* result = lanes<float>(h.result.data());
  const auto bits = static_cast<uint32_t>(c.scalar);
  if (h.frm != kRmm && (!F::kFuses || kHostFuses)) {
    float x;
    std::memcpy(&x, &bits, 4);
    const float* a = quiet(c.s2, c, h.operand2.data());
    const float* b = scalar ? a : quiet(c.s1, c, h.operand1.data());
    const float* was = F::kFuses ? quiet(c.was, c, h.operand0.data()) : a;
    const HostFloat host(h.frm);
    // A scalar that signals, or is infinite, would speak for inactive elements too.
    const bool ordinary = !scalar || c.mask == nullptr || (bits >> 23 & 0xff) != 0xff;
    if (ordinary && host_loop<F, scalar>(result, was, a, b, x, c.begin, c.n) && host.plain()) {
      if (c.mask == nullptr || !scalar || !host.inexact()) {
        if (host.inexact()) h.fflags |= kNx;
        to_active(c, lanes<uint32_t>(h.result.data()));
        return;
      }
    }
  }
  Binary32 m(static_cast<Rounding>(h.frm));
  auto* d = lanes<uint32_t>(c.d);
  const auto* was = lanes<uint32_t>(c.was);
  const auto* a = lanes<uint32_t>(c.s2);
  const auto* b = lanes<uint32_t>(c.s1);
  for (size_t i = c.begin, n = c.n; i < n; ++i)
    if (active(c, i)) d[i] = F::exact(m, was[i], a[i], scalar ? bits : b[i]);
  h.fflags |= m.flags();
}

/// Two operands, each result by Binary32 or by bits alone.
#define MEANING(Name, by_bits)                                                                 \
  struct Name {                                                                                \
    static uint32_t f([[maybe_unused]] Binary32& m, uint32_t a, [[maybe_unused]] uint32_t b) { \
      return by_bits;                                                                          \
    }                                                                                          \
  };
MEANING(Min, m.min(a, b))
MEANING(Max, m.max(a, b))
MEANING(Sgnj, (a & ~kSign) | (b & kSign))
MEANING(Sgnjn, (a & ~kSign) | (~b & kSign))
MEANING(Sgnjx, a ^ (b & kSign))
MEANING(Classify, classify(a))
MEANING(Eq, m.eq(a, b))
MEANING(Ne, !m.eq(a, b))
MEANING(Lt, m.lt(a, b))
MEANING(Le, m.le(a, b))
MEANING(Gt, m.lt(b, a))
MEANING(Ge, m.le(b, a))
#undef MEANING

template <class F, bool scalar>
void exact_loop(const Call& c) {
  Hart& h = *c.hart;
  Binary32 m(static_cast<Rounding>(h.frm));
  auto* d = lanes<uint32_t>(c.d);
  const auto* a = lanes<uint32_t>(c.s2);
  const auto* b = lanes<uint32_t>(c.s1);
  const auto x = static_cast<uint32_t>(c.scalar);
  for (size_t i = c.begin, n = c.n; i < n; ++i)
    if (active(c, i)) d[i] = F::f(m, a[i], scalar ? x : b[i]);
  h.fflags |= m.flags();
}

/// Order of the numbers, NaN apart, as that of signed integers: -0 below +0.
int32_t key(uint32_t a) {
  return static_cast<int32_t>(a ^ (static_cast<uint32_t>(static_cast<int32_t>(a) >> 31) >> 1));
}

/// Minimum, maximum: by bits where there is no NaN.
template <class F, bool most, bool scalar>
void extreme_loop(const Call& c) {
  auto* r = lanes<uint32_t>(c.hart->result.data());
  const auto* a = lanes<uint32_t>(c.s2);
  const auto* b = lanes<uint32_t>(c.s1);
  const auto x = static_cast<uint32_t>(c.scalar);
  uint32_t nans = 0;
  PRESIL_DSP_LANE_LOOP
  for (size_t i = c.begin, n = c.n; i < n; ++i) {
    const uint32_t y = scalar ? x : b[i];
    nans |= ((a[i] & ~kSign) > 0x7f800000) | ((y & ~kSign) > 0x7f800000);
    r[i] = (key(a[i]) < key(y)) != most ? a[i] : y;
  }
  if (nans != 0) return exact_loop<F, scalar>(c);
  to_active(c, r);
}

/// A byte per element; Commit::kBits leaves out inactive ones.
template <class F, bool scalar>
void compare_float_loop(const Call& c) {
  Hart& h = *c.hart;
  Binary32 m(static_cast<Rounding>(h.frm));
  const auto* a = lanes<uint32_t>(c.s2);
  const auto* b = lanes<uint32_t>(c.s1);
  const auto x = static_cast<uint32_t>(c.scalar);
  for (size_t i = c.begin, n = c.n; i < n; ++i)
    if (active(c, i)) c.d[i] = static_cast<uint8_t>(F::f(m, a[i], scalar ? x : b[i]));
  h.fflags |= m.flags();
}

void reciprocal(const Call& c) {
  auto* d = lanes<uint32_t>(c.d);
  for (size_t i = c.begin, n = c.n; i < n; ++i)
    if (active(c, i))
      d[i] = reciprocal_estimate(lanes<uint32_t>(c.s2)[i], static_cast<Rounding>(c.hart->frm),
                                 c.hart->fflags);
}
void reciprocal_root(const Call& c) {
  auto* d = lanes<uint32_t>(c.d);
  for (size_t i = c.begin, n = c.n; i < n; ++i)
    if (active(c, i)) d[i] = reciprocal_root_estimate(lanes<uint32_t>(c.s2)[i], c.hart->fflags);
}

/// Sums in the order of the elements, unordered ones too: a value that is unique.
template <class F>
void fold(const Call& c) {
  if (c.n == 0) return;
  Binary32 m(static_cast<Rounding>(c.hart->frm));
  uint32_t r = *lanes<uint32_t>(c.s1);
  for (size_t i = 0, n = c.n; i < n; ++i)
    if (active(c, i)) r = F::f(m, r, lanes<uint32_t>(c.s2)[i]);
  *lanes<uint32_t>(c.d) = r;
  c.hart->fflags |= m.flags();
}
struct Sum {
  static uint32_t f(Binary32& m, uint32_t a, uint32_t b) { return m.add(a, b); }
};

/// Of elements of v0: the scalar where the bit is set.
void merge(const Call& c) {
  auto* d = lanes<uint32_t>(c.d);
  const auto* a = lanes<uint32_t>(c.s2);
  const auto x = static_cast<uint32_t>(c.scalar);
  for (size_t i = c.begin, n = c.n; i < n; ++i) d[i] = c.mask[i] != 0 ? x : a[i];
}
void splat(const Call& c) {
  auto* d = lanes<uint32_t>(c.d);
  const auto x = static_cast<uint32_t>(c.scalar);
  for (size_t i = c.begin, n = c.n; i < n; ++i) d[i] = x;
}

Kernels of_32(Kernel vector, Kernel scalar) {
  return {{{nullptr, nullptr, vector, nullptr}, {nullptr, nullptr, scalar, nullptr}}};
}
template <class F>
Kernels host() {
  return of_32(float_loop<F, false>, float_loop<F, true>);
}
template <class F>
Kernels exact() {
  return of_32(exact_loop<F, false>, exact_loop<F, true>);
}
template <class F, bool most>
Kernels extreme() {
  return of_32(extreme_loop<F, most, false>, extreme_loop<F, most, true>);
}
template <class F>
Kernels compare_float() {
  return of_32(compare_float_loop<F, false>, compare_float_loop<F, true>);
}

constexpr Shape kFloat{Width::kSew, Width::kSew, Width::kSew, kRounds, Commit::kItself, 'v'};
constexpr Shape kFused{Width::kSew,        Width::kSew,     Width::kSew,
                       kRounds | kTernary, Commit::kItself, 'v'};
constexpr Shape kUnaryFloat{Width::kSew, Width::kSew, Width::kNone, kRounds, Commit::kItself, 0};
constexpr Shape kCompareFloat{Width::kMask, Width::kSew, Width::kSew, kRounds, Commit::kBits, 'v'};
constexpr Shape kReduceFloat{Width::kOne,          Width::kSew,     Width::kOne,
                             kRounds | kFromStart, Commit::kItself, 's'};
constexpr Shape kMergeFloat{Width::kSew,         Width::kSew,       Width::kSew,
                            kCarry | kWantsMask, Commit::kElements, 'm'};
constexpr Shape kMoveFloat{Width::kSew, Width::kNone, Width::kSew, kNoMask, Commit::kElements, '1'};

}  // namespace

Rows vector_float_rows() {
  constexpr Group kF = Group::kOpf;
  constexpr Class kV = Class::kVector, kC = Class::kVectorCompare, kD = Class::kVectorDivide,
                  kSum = Class::kVectorFloatSum;
  constexpr uint8_t kVF2 = kVV | kVF;
  static const VectorRow rows[] = {
      {0b000000, kF, "vfadd", kVF2, kFloat, kV, host<Add>()},
      {0b000010, kF, "vfsub", kVF2, kFloat, kV, host<Sub>()},
      {0b100111, kF, "vfrsub", kVF, kFloat, kV, host<Rsub>()},
      {0b100100, kF, "vfmul", kVF2, kFloat, kV, host<Mul>()},
      {0b100000, kF, "vfdiv", kVF2, kFloat, kD, host<Div>()},
      {0b100001, kF, "vfrdiv", kVF, kFloat, kD, host<Rdiv>()},
      {0b010011, kF, "vfsqrt.v", kUnary, kUnaryFloat, kD, host<Sqrt>(), 0},
      {0b101000, kF, "vfmadd", kVF2, kFused, kV, host<Madd>()},
      {0b101001, kF, "vfnmadd", kVF2, kFused, kV, host<Nmadd>()},
      {0b101010, kF, "vfmsub", kVF2, kFused, kV, host<Msub>()},
      {0b101011, kF, "vfnmsub", kVF2, kFused, kV, host<Nmsub>()},
      {0b101100, kF, "vfmacc", kVF2, kFused, kV, host<Macc>()},
      {0b101101, kF, "vfnmacc", kVF2, kFused, kV, host<Nmacc>()},
      {0b101110, kF, "vfmsac", kVF2, kFused, kV, host<Msac>()},
      {0b101111, kF, "vfnmsac", kVF2, kFused, kV, host<Nmsac>()},
      {0b000100, kF, "vfmin", kVF2, kFloat, kV, extreme<Min, false>()},
      {0b000110, kF, "vfmax", kVF2, kFloat, kV, extreme<Max, true>()},
      {0b001000, kF, "vfsgnj", kVF2, kFloat, kV, exact<Sgnj>()},
      {0b001001, kF, "vfsgnjn", kVF2, kFloat, kV, exact<Sgnjn>()},
      {0b001010, kF, "vfsgnjx", kVF2, kFloat, kV, exact<Sgnjx>()},
      {0b010011, kF, "vfclass.v", kUnary, kUnaryFloat, kV, exact<Classify>(), 16},
      {0b010011, kF, "vfrsqrt7.v", kUnary, kUnaryFloat, kV, of_32(reciprocal_root, reciprocal_root),
       4},
      {0b010011, kF, "vfrec7.v", kUnary, kUnaryFloat, kV, of_32(reciprocal, reciprocal), 5},
      {0b011000, kF, "vmfeq", kVF2, kCompareFloat, kC, compare_float<Eq>()},
      {0b011001, kF, "vmfle", kVF2, kCompareFloat, kC, compare_float<Le>()},
      {0b011011, kF, "vmflt", kVF2, kCompareFloat, kC, compare_float<Lt>()},
      {0b011100, kF, "vmfne", kVF2, kCompareFloat, kC, compare_float<Ne>()},
      {0b011101, kF, "vmfgt", kVF, kCompareFloat, kC, compare_float<Gt>()},
      {0b011111, kF, "vmfge", kVF, kCompareFloat, kC, compare_float<Ge>()},
      {0b010111, kF, "vfmerge", kVF, kMergeFloat, kV, of_32(merge, merge)},
      {0b010111, kF, "vfmv.v", kVF, kMoveFloat, kV, of_32(splat, splat), -1, 0},
      {0b000001, kF, "vfredusum", kVV, kReduceFloat, kSum, of_32(fold<Sum>, nullptr)},
      {0b000011, kF, "vfredosum", kVV, kReduceFloat, kSum, of_32(fold<Sum>, nullptr)},
      {0b000101, kF, "vfredmin", kVV, kReduceFloat, Class::kVectorReduce,
       of_32(fold<Min>, nullptr)},
      {0b000111, kF, "vfredmax", kVV, kReduceFloat, Class::kVectorReduce,
       of_32(fold<Max>, nullptr)},
  };
  return rows;
}

}  // namespace presil::dsp::PRESIL_DSP_LANES
