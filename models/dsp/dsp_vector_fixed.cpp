// Fixed point: saturating, averaging, scaling, clipping; every rounding mode of vxrm.
#include "models/dsp/dsp_families.h"

namespace presil::dsp::PRESIL_DSP_LANES {
namespace {

enum Vxrm : uint8_t { kRnu, kRne, kRdn, kRod };

/// What is added to `floor`, the value without the bits that a shift drops: `half` is the highest
/// of them, `rest` says whether there are ones among the others.
template <class T>
T increment(Vxrm mode, T floor, bool half, bool rest) {
  const bool odd = (floor & 1) != 0;
  const bool up = mode == kRnu   ? half
                  : mode == kRne ? half && (rest || odd)
                  : mode == kRod ? !odd && (half || rest)
                                 : false;
  return T(up);
}

/// v / 2^shift, rounded; shift < bits of T.
template <bool nearest_up, class T>
T rounded(Vxrm mode, T v, unsigned shift) {
  using U = Unsigned<T>;
  const T floor = T(v >> shift);
  const U half = U(U(U(v) << 1) >> shift) & 1;
  if (nearest_up) return T(Free<T>(floor) + half);
  const U below = U(U(1) << shift) >> 1;  // the bit of `half`; 0 where nothing is dropped
  const bool rest = below != 0 && (U(v) & U(below - 1)) != 0;
  return T(Free<T>(floor) + Free<T>(increment(mode, floor, half != 0, rest)));
}

/// Results that may saturate: s becomes all ones where one does.
struct Saddu {
  template <class T>
  static T f(T a, T b, T& s) {
    const T sum = T(Free<T>(a) + Free<T>(b));
    s = T(-T(sum < a));
    return sum | s;
  }
};
struct Ssubu {
  template <class T>
  static T f(T a, T b, T& s) {
    s = T(-T(a < b));
    return T(Free<T>(a) - Free<T>(b)) & T(~s);
  }
};
// Signed overflow: the operands' signs say so, and the result is the end on a's side.
struct Sadd {
  template <class T>
  static T f(T a, T b, T& s) {
    const T sum = T(Free<T>(a) + Free<T>(b));
    s = T(~(a ^ b) & (a ^ sum)) >> (kBits<T> - 1);
    return T(sum & ~s) | T(T((a >> (kBits<T> - 1)) ^ kMost<T>) & s);
  }
};
struct Ssub {
  template <class T>
  static T f(T a, T b, T& s) {
    const T sum = T(Free<T>(a) - Free<T>(b));
    s = T((a ^ b) & (a ^ sum)) >> (kBits<T> - 1);
    return T(sum & ~s) | T(T((a >> (kBits<T> - 1)) ^ kMost<T>) & s);
  }
};

/// vxsat takes what active elements say.
template <class F, class T, bool scalar>
void saturating_loop(const Call& c) {
  T* d = lanes<T>(c.d);
  const T* a = lanes<T>(c.s2);
  const T* b = lanes<T>(c.s1);
  const T x = static_cast<T>(c.scalar);
  T all = 0;
  if (c.mask == nullptr) {
    PRESIL_DSP_LANE_LOOP
    for (size_t i = c.begin, n = c.n; i < n; ++i) {
      T s = 0;
      d[i] = F::template f<T>(a[i], scalar ? x : b[i], s);
      all |= s;
    }
  } else {
    const uint8_t* mask = c.mask;
    PRESIL_DSP_LANE_LOOP
    for (size_t i = c.begin, n = c.n; i < n; ++i) {
      T s = 0;
      d[i] = F::template f<T>(a[i], scalar ? x : b[i], s);
      all |= T(s & T(-T(mask[i])));
    }
  }
  if (all != 0) c.hart->vxsat = 1;
}
template <class F, Sign sign>
Kernels saturating() {
  return PRESIL_DSP_KERNELS(saturating_loop, F, sign);
}

/// Operations that round: the usual mode, nearest up, has a loop of its own.
template <class F, class T, bool scalar>
void rounding_loop(const Call& c) {
  T* d = lanes<T>(c.d);
  const T* a = lanes<T>(c.s2);
  const T* b = lanes<T>(c.s1);
  const T x = static_cast<T>(c.scalar);
  const auto mode = static_cast<Vxrm>(c.hart->vxrm);
  if (mode == kRnu) {
    PRESIL_DSP_LANE_LOOP
    for (size_t i = c.begin, n = c.n; i < n; ++i)
      d[i] = F::template f<true>(kRnu, a[i], scalar ? x : b[i]);
  } else {
    for (size_t i = c.begin, n = c.n; i < n; ++i)
      d[i] = F::template f<false>(mode, a[i], scalar ? x : b[i]);
  }
}
template <class F, Sign sign>
Kernels rounding() {
  return PRESIL_DSP_KERNELS(rounding_loop, F, sign);
}

struct Aadd {
  template <bool nearest_up, class T>
  static T f(Vxrm mode, T a, T b) {
    const T floor = T(Free<T>(a & b) + Free<T>(T(a ^ b) >> 1));
    const bool half = ((a ^ b) & 1) != 0;
    if (nearest_up) return T(Free<T>(floor) + Free<T>((a ^ b) & 1));
    return T(Free<T>(floor) + Free<T>(increment(mode, floor, half, false)));
  }
};
struct Asub {  // a - b = (a ^ b) - 2 (~a & b)
  template <bool nearest_up, class T>
  static T f(Vxrm mode, T a, T b) {
    const T floor = T(Free<T>(T(a ^ b) >> 1) - Free<T>(~a & b));
    const bool half = ((a ^ b) & 1) != 0;
    if (nearest_up) return T(Free<T>(floor) + Free<T>((a ^ b) & 1));
    return T(Free<T>(floor) + Free<T>(increment(mode, floor, half, false)));
  }
};
struct Scale {
  template <bool nearest_up, class T>
  static T f(Vxrm mode, T a, T b) {
    return rounded<nearest_up>(mode, a, unsigned(b & T(kBits<T> - 1)));
  }
};

/// Product of two fractions; only the least by the least saturates.
template <class, class T, bool scalar>
void fraction_loop(const Call& c) {
  T* d = lanes<T>(c.d);
  const T* a = lanes<T>(c.s2);
  const T* b = lanes<T>(c.s1);
  const T x = static_cast<T>(c.scalar);
  const auto mode = static_cast<Vxrm>(c.hart->vxrm);
  T all = 0;
  if (mode == kRnu && c.mask == nullptr) {
    using U = Unsigned<Double<T>>;
    PRESIL_DSP_LANE_LOOP
    for (size_t i = c.begin, n = c.n; i < n; ++i) {
      // Nothing but the least by the least comes to 2^(bits - 1), which T takes for the least.
      const Double<T> product = Double<T>(Double<T>(a[i]) * (scalar ? x : b[i]));
      const T r = T(U(U(product) + (U(1) << (kBits<T> - 2))) >> (kBits<T> - 1));
      const T s = T(-T(r == kLeast<T>));
      d[i] = T(Free<T>(r) + Free<T>(s));  // least - 1 is the most
      all |= s;
    }
  } else {
    for (size_t i = c.begin, n = c.n; i < n; ++i) {
      const T y = scalar ? x : b[i];
      const bool s = a[i] == kLeast<T> && y == kLeast<T>;
      d[i] = s ? kMost<T> : T(rounded<false>(mode, Double<T>(Double<T>(a[i]) * y), kBits<T> - 1));
      all |= T(s && (c.mask == nullptr || c.mask[i] != 0));
    }
  }
  if (all != 0) c.hart->vxsat = 1;
}
Kernels fraction() {
  return PRESIL_DSP_KERNELS_32(fraction_loop, void, kSigned);
}

/// The nearest of T. `changed` becomes other than 0 where it is another value.
template <class T, class W>
T clipped(W r, W& changed) {
  constexpr W kLow = W(kLeast<T>), kHigh = W(kMost<T>);
  const W above = r < kHigh ? r : kHigh;
  const W v = above > kLow ? above : kLow;
  changed = W(v ^ r);
  return T(v);
}

template <class, class T, bool scalar>
void clip_loop(const Call& c) {
  using W = Double<T>;
  T* d = lanes<T>(c.d);
  const W* a = lanes<W>(c.s2);
  const auto* b = lanes<Unsigned<T>>(c.s1);
  const auto x = static_cast<Unsigned<T>>(c.scalar);
  const auto mode = static_cast<Vxrm>(c.hart->vxrm);
  constexpr unsigned kShifts = kBits<W> - 1;
  W all = 0;
  if (scalar && c.mask == nullptr && (x & kShifts) == 0) {  // nothing to round
    PRESIL_DSP_LANE_LOOP
    for (size_t i = c.begin, n = c.n; i < n; ++i) {
      W changed;
      d[i] = clipped<T>(a[i], changed);
      all |= changed;
    }
  } else if (mode == kRnu && c.mask == nullptr) {
    PRESIL_DSP_LANE_LOOP
    for (size_t i = c.begin, n = c.n; i < n; ++i) {
      W changed;
      d[i] = clipped<T>(rounded<true>(kRnu, a[i], (scalar ? x : b[i]) & kShifts), changed);
      all |= changed;
    }
  } else {
    for (size_t i = c.begin, n = c.n; i < n; ++i) {
      W changed;
      d[i] = clipped<T>(rounded<false>(mode, a[i], (scalar ? x : b[i]) & kShifts), changed);
      if (c.mask == nullptr || c.mask[i] != 0) all |= changed;
    }
  }
  if (all != 0) c.hart->vxsat = 1;
}
template <Sign sign>
Kernels clip() {
  return PRESIL_DSP_KERNELS_32(clip_loop, void, sign);
}

}  // namespace

Rows vector_fixed_rows() {
  constexpr Group kI = Group::kOpi, kM = Group::kOpm;
  constexpr Class kLong = Class::kVectorLong;
  constexpr uint8_t kVX2 = kVV | kVX, kVXI = kVV | kVX | kVI, kVXU = kVV | kVX | kVU;
  static const VectorRow rows[] = {
      {0b100000, kI, "vsaddu", kVXI, kBinary, kLong, saturating<Saddu, kUnsigned>()},
      {0b100001, kI, "vsadd", kVXI, kBinary, kLong, saturating<Sadd, kSigned>()},
      {0b100010, kI, "vssubu", kVX2, kBinary, kLong, saturating<Ssubu, kUnsigned>()},
      {0b100011, kI, "vssub", kVX2, kBinary, kLong, saturating<Ssub, kSigned>()},
      {0b001000, kM, "vaaddu", kVX2, kBinary, kLong, rounding<Aadd, kUnsigned>()},
      {0b001001, kM, "vaadd", kVX2, kBinary, kLong, rounding<Aadd, kSigned>()},
      {0b001010, kM, "vasubu", kVX2, kBinary, kLong, rounding<Asub, kUnsigned>()},
      {0b001011, kM, "vasub", kVX2, kBinary, kLong, rounding<Asub, kSigned>()},
      {0b100111, kI, "vsmul", kVX2, kBinary, kLong, fraction()},
      {0b101010, kI, "vssrl", kVXU, kBinary, kLong, rounding<Scale, kUnsigned>()},
      {0b101011, kI, "vssra", kVXU, kBinary, kLong, rounding<Scale, kSigned>()},
      {0b101110, kI, "vnclipu", kVXU, kNarrow, kLong, clip<kUnsigned>()},
      {0b101111, kI, "vnclip", kVXU, kNarrow, kLong, clip<kSigned>()},
  };
  return rows;
}

}  // namespace presil::dsp::PRESIL_DSP_LANES
