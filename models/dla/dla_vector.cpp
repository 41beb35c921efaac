// Compiled once per instruction set by Highway's foreach_target.
#include "models/dla/dla_vector.h"

// Scalable vectors cannot be held in arrays; machines that have them have a fixed set too.
#include <hwy/detect_targets.h>
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/dla/dla_vector.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace presil::dla {
namespace HWY_NAMESPACE {

// Highway's own fallback is too narrow for these loops: without a vector unit the plain ones run.
#if HWY_TARGET == HWY_SCALAR
VectorLoops loops() {
  return plain_loops();
}
#else
namespace hn = hwy::HWY_NAMESPACE;

// A word's 16 int32 lanes are kParts vectors.
using D32 = hn::CappedTag<int32_t, 16>;
using D16 = hn::RepartitionToNarrow<D32>;  // pairs of int16, as many bytes
using H16 = hn::Rebind<int16_t, D32>;      // int16, as many lanes
using D8 = hn::Rebind<int8_t, D32>;
using DF = hn::Rebind<float, D32>;
using V32 = hn::Vec<D32>;
using V16 = hn::Vec<D16>;
constexpr size_t kWide = hn::MaxLanes(D32());
constexpr size_t kParts = kLanes / kWide;

void widen(const uint8_t* from, ptrdiff_t step, size_t pixels, int16_t* to) {
  const hn::FixedTag<int8_t, 8> d8;
  const hn::FixedTag<int16_t, 8> d16;
  for (size_t p = 0; p < pixels; ++p, from += step, to += kLanes) {
    const auto* bytes = reinterpret_cast<const int8_t*>(from);
    hn::StoreU(hn::PromoteTo(d16, hn::LoadU(d8, bytes)), d16, to);
    hn::StoreU(hn::PromoteTo(d16, hn::LoadU(d8, bytes + 8)), d16, to + 8);
  }
}

// Two transpositions of 8 rows x 8 pairs of bytes.
void pair_weights(const uint8_t* set, size_t pitch, int zero, int16_t* pairs) {
  const hn::FixedTag<uint8_t, 16> d8;
  const hn::FixedTag<uint16_t, 8> d16;
  const hn::FixedTag<uint32_t, 4> d32;
  const hn::FixedTag<uint64_t, 2> d64;
  const hn::FixedTag<int8_t, 8> half;
  const hn::FixedTag<int16_t, 8> wide;
  const auto minus = hn::Set(wide, static_cast<int16_t>(zero));
  for (size_t k = 0; k < kLanes; k += 8) {
    hn::Vec<decltype(d16)> row[8], quad[8];
    for (size_t i = 0; i < 8; ++i) {
      row[i] = hn::BitCast(d16, hn::LoadU(d8, set + (k + i) * pitch));
    }
    for (size_t i = 0; i < 4; ++i) {  // rows 2i, 2i + 1 side by side
      quad[i] = hn::InterleaveLower(d16, row[2 * i], row[2 * i + 1]);
      quad[i + 4] = hn::InterleaveUpper(d16, row[2 * i], row[2 * i + 1]);
    }
    for (size_t h = 0; h < 2; ++h) {  // columns 0..3, then 4..7
      const auto q = [&](size_t i) { return hn::BitCast(d32, quad[4 * h + i]); };
      for (size_t j = 0; j < 2; ++j) {
        const auto a =
            j ? hn::InterleaveUpper(d32, q(0), q(1)) : hn::InterleaveLower(d32, q(0), q(1));
        const auto b =
            j ? hn::InterleaveUpper(d32, q(2), q(3)) : hn::InterleaveLower(d32, q(2), q(3));
        const auto a64 = hn::BitCast(d64, a), b64 = hn::BitCast(d64, b);
        for (size_t i = 0; i < 2; ++i) {
          const auto column =
              i ? hn::InterleaveUpper(d64, a64, b64) : hn::InterleaveLower(d64, a64, b64);
          const auto bytes = hn::BitCast(hn::FixedTag<int8_t, 16>(), column);
          int16_t* to = pairs + ((4 * h + 2 * j + i) * kLanes + k) * 2;
          hn::StoreU(hn::Sub(hn::PromoteTo(wide, hn::LowerHalf(half, bytes)), minus), wide, to);
          hn::StoreU(hn::Sub(hn::PromoteTo(wide, hn::UpperHalf(half, bytes)), minus), wide, to + 8);
        }
      }
    }
  }
}

// As many pixels as the registers hold accumulators for.
constexpr size_t kMaxPixels = kParts == 1 ? 14 : kParts == 2 ? 6 : 2;

template <size_t P>
HWY_INLINE void convolve_tile(const int16_t* HWY_RESTRICT x, const ptrdiff_t* offset, size_t sets,
                              const int16_t* HWY_RESTRICT w, const int32_t* from, size_t from_step,
                              int32_t* acc) {
  const D32 d32;
  const D16 d16;
  V32 even[P][kParts], odd[P][kParts];
  for (size_t p = 0; p < P; ++p) {
    for (size_t v = 0; v < kParts; ++v) even[p][v] = odd[p][v] = hn::Zero(d32);
  }
  for (size_t s = 0; s < sets; ++s, w += kSetBytes) {
    const int16_t* HWY_RESTRICT words = x + offset[s];
    for (size_t j = 0; j < kLanes / 2; ++j) {
      V16 weights[kParts];
      for (size_t v = 0; v < kParts; ++v) {
        weights[v] = hn::LoadU(d16, w + (j * kLanes + v * kWide) * 2);
      }
      for (size_t p = 0; p < P; ++p) {
        int32_t pair;
        hwy::CopyBytes<4>(words + p * kLanes + 2 * j, &pair);
        const V16 both = hn::BitCast(d16, hn::Set(d32, pair));
        for (size_t v = 0; v < kParts; ++v) {
          even[p][v] = hn::ReorderWidenMulAccumulate(d32, both, weights[v], even[p][v], odd[p][v]);
        }
      }
    }
  }
  for (size_t p = 0; p < P; ++p) {
    for (size_t v = 0; v < kParts; ++v) {
      const V32 sum = hn::RearrangeToOddPlusEven(even[p][v], odd[p][v]);
      const V32 start = hn::LoadU(d32, from + p * from_step + v * kWide);
      hn::StoreU(hn::Add(start, sum), d32, acc + p * kLanes + v * kWide);
    }
  }
}

template <size_t P = kMaxPixels>
HWY_INLINE void convolve_some(size_t pixels, const int16_t* x, const ptrdiff_t* offset, size_t sets,
                              const int16_t* w, const int32_t* from, size_t from_step,
                              int32_t* acc) {
  if (pixels == P) {
    convolve_tile<P>(x, offset, sets, w, from, from_step, acc);
  } else if constexpr (P > 1) {
    convolve_some<P - 1>(pixels, x, offset, sets, w, from, from_step, acc);
  }
}

void convolve(const int16_t* x, const ptrdiff_t* offset, size_t sets, const int16_t* pairs,
              size_t pixels, const int32_t* from, size_t from_step, int32_t* acc) {
  for (size_t tiles = (pixels + kMaxPixels - 1) / kMaxPixels; tiles > 0; --tiles) {
    const size_t now = (pixels + tiles - 1) / tiles;  // tiles of nearly equal width
    convolve_some(now, x, offset, sets, pairs, from, from_step, acc);
    x += now * kLanes;
    from += now * from_step;
    acc += now * kLanes;
    pixels -= now;
  }
}

template <size_t P>
HWY_INLINE void convolve_lanes_tile(const int16_t* HWY_RESTRICT x, const ptrdiff_t* offset,
                                    size_t taps, const int16_t* HWY_RESTRICT w, const int32_t* from,
                                    size_t from_step, int32_t* acc) {
  const D32 d32;
  const H16 d16;
  V32 sum[P][kParts];
  for (size_t p = 0; p < P; ++p) {
    for (size_t v = 0; v < kParts; ++v)
      sum[p][v] = hn::LoadU(d32, from + p * from_step + v * kWide);
  }
  for (size_t t = 0; t < taps; ++t) {
    const int16_t* HWY_RESTRICT words = x + offset[t];
    for (size_t v = 0; v < kParts; ++v) {
      const auto weights = hn::LoadU(d16, w + t * kLanes + v * kWide);
      for (size_t p = 0; p < P; ++p) {
        // 128 * 255 = 32640 is the largest product: 16 bits hold it.
        const auto product = hn::Mul(hn::LoadU(d16, words + p * kLanes + v * kWide), weights);
        sum[p][v] = hn::Add(sum[p][v], hn::PromoteTo(d32, product));
      }
    }
  }
  for (size_t p = 0; p < P; ++p) {
    for (size_t v = 0; v < kParts; ++v) hn::StoreU(sum[p][v], d32, acc + p * kLanes + v * kWide);
  }
}

void convolve_lanes(const int16_t* x, const ptrdiff_t* offset, size_t taps, const int16_t* w,
                    size_t pixels, const int32_t* from, size_t from_step, int32_t* acc) {
  for (; pixels >= 4; pixels -= 4, x += 4 * kLanes, from += 4 * from_step, acc += 4 * kLanes) {
    convolve_lanes_tile<4>(x, offset, taps, w, from, from_step, acc);
  }
  for (; pixels > 0; --pixels, x += kLanes, from += from_step, acc += kLanes) {
    convolve_lanes_tile<1>(x, offset, taps, w, from, from_step, acc);
  }
}

// (x * m + 2^30) >> 31: the doubling high multiply that rounds half up. For a negative product the
// definition's (p + 1 - 2^30) / 2^31, truncating, is the same number.
HWY_INLINE V32 doubling_high(V32 x, V32 m) {
  const D32 d32;
  const hn::Repartition<int64_t, D32> d64;
  const hn::Repartition<uint64_t, D32> u64;
  const auto half = hn::Set(d64, int64_t{1} << 30);
  const auto high = [&](V32 a, V32 b) {  // low 32 bits of each 64-bit lane hold the result
    return hn::ShiftRight<31>(hn::BitCast(u64, hn::Add(hn::MulEven(a, b), half)));
  };
  const auto odd = [&](V32 v) { return hn::BitCast(d32, hn::ShiftRight<32>(hn::BitCast(u64, v))); };
  const V32 even = hn::BitCast(d32, high(x, m));
  const V32 upper = hn::BitCast(d32, hn::ShiftLeft<32>(high(odd(x), odd(m))));
  return hn::OddEven(upper, even);
}

// Double rounding for one vector of multipliers and shifts, what depends on them alone worked out
// once.
class ScaleDouble {
 public:
  HWY_INLINE ScaleDouble(V32 multiplier, V32 left, V32 right)
      : m_multiplier(multiplier), m_left(left), m_right(right) {
    const D32 d32;
    const V32 one = hn::Set(d32, 1);
    m_mask = hn::Sub(hn::Shl(one, right), one);
    m_half = hn::ShiftRight<1>(hn::And(m_mask, hn::Set(d32, INT32_MAX)));
    m_lowest = !hn::AllFalse(d32, hn::Eq(multiplier, hn::Set(d32, INT32_MIN)));
  }
  HWY_INLINE V32 operator()(V32 x) const {
    const D32 d32;
    const V32 shifted = hn::Shl(x, m_left);
    V32 high = doubling_high(shifted, m_multiplier);
    if (HWY_UNLIKELY(m_lowest)) {  // INT_MIN * INT_MIN is the one product that does not fit
      const V32 lowest = hn::Set(d32, INT32_MIN);
      const auto overflow = hn::And(hn::Eq(shifted, lowest), hn::Eq(m_multiplier, lowest));
      high = hn::IfThenElse(overflow, hn::Set(d32, INT32_MAX), high);
    }
    // high / 2^right to the nearest, ties away from zero
    const V32 rest = hn::And(high, m_mask);
    const V32 threshold = hn::Sub(m_half, hn::BroadcastSignBit(high));  // one more below zero
    return hn::Sub(hn::Shr(high, m_right), hn::VecFromMask(d32, hn::Gt(rest, threshold)));
  }

 private:
  V32 m_multiplier, m_left, m_right, m_mask, m_half;
  bool m_lowest;
};

// Far beyond bytes, and a float that has fraction bits to spare.
constexpr int32_t kFar = 1 << 20;

HWY_INLINE V32 scale_float(V32 x, V32 bits) {
  const D32 d32;
  const DF df;
  const auto product = hn::Mul(hn::ConvertTo(df, x), hn::BitCast(df, bits));
  // 0 times infinity and a scale that is no number give 0.
  const auto number = hn::IfThenElseZero(hn::Eq(product, product), product);
  const auto near = hn::Min(hn::Max(number, hn::Set(df, -kFar)), hn::Set(df, kFar));
  // Adding 1.5 * 2^23 leaves no fraction bits: rounds to the nearest even integer.
  const auto magic = hn::Set(df, 12582912.0f);
  return hn::ConvertTo(d32, hn::Sub(hn::Add(near, magic), magic));
}

// One rounding for one vector of multipliers and places: of lanes with an even and an odd number.
class ScaleSingle {
 public:
  HWY_INLINE ScaleSingle(V32 multiplier, V32 places)
      : m_multiplier(multiplier), m_odd_multiplier(odd(multiplier)) {
    const hn::Repartition<int64_t, D32> d64;
    const auto one = hn::Set(d64, 1);
    const auto low = hn::Set(d64, 0xffffffff);
    m_places = hn::And(hn::BitCast(d64, places), low);
    m_odd_places = hn::And(hn::BitCast(d64, odd(places)), low);
    m_half = hn::Shl(one, hn::Sub(m_places, one));
    m_odd_half = hn::Shl(one, hn::Sub(m_odd_places, one));
  }
  HWY_INLINE V32 operator()(V32 x) const {
    const D32 d32;
    const V32 even = scaled(x, m_multiplier, m_half, m_places);
    const V32 upper = scaled(odd(x), m_odd_multiplier, m_odd_half, m_odd_places);
    const hn::Repartition<uint64_t, D32> u64;
    return hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<32>(hn::BitCast(u64, upper))), even);
  }

 private:
  using V64 = hn::Vec<hn::Repartition<int64_t, D32>>;
  static HWY_INLINE V32 odd(V32 v) {
    const hn::Repartition<uint64_t, D32> u64;
    return hn::BitCast(D32(), hn::ShiftRight<32>(hn::BitCast(u64, v)));
  }
  static HWY_INLINE V32 scaled(V32 x, V32 multiplier, V64 half, V64 places) {
    const hn::Repartition<int64_t, D32> d64;
    const V64 value = hn::Shr(hn::Add(hn::MulEven(x, multiplier), half), places);
    const V64 least = hn::Set(d64, INT32_MIN), most = hn::Set(d64, INT32_MAX);
    return hn::BitCast(D32(), hn::Min(hn::Max(value, least), most));
  }

  V32 m_multiplier, m_odd_multiplier;
  V64 m_places, m_odd_places, m_half, m_odd_half;
};

HWY_INLINE V32 divide(V32 x, uint32_t reciprocal, uint32_t half) {
  const D32 d32;
  const hn::Repartition<uint32_t, D32> u32;
  const hn::Repartition<uint64_t, D32> u64;
  const V32 sign = hn::BroadcastSignBit(x);
  const auto size = hn::BitCast(u32, hn::Sub(hn::Xor(x, sign), sign));
  const auto sum = hn::Add(size, hn::Set(u32, half));
  const auto factor = hn::Set(u32, reciprocal);
  const auto even = hn::ShiftRight<32>(hn::MulEven(sum, factor));
  const auto odd_sum = hn::BitCast(u32, hn::ShiftRight<32>(hn::BitCast(u64, sum)));
  const auto odd = hn::MulEven(odd_sum, factor);
  const V32 quotient = hn::OddEven(hn::BitCast(d32, odd), hn::BitCast(d32, even));
  return hn::Sub(hn::Xor(quotient, sign), sign);
}

// `scale_of(v)` is what happens to the lanes from v on: a function of a vector.
template <class ScaleOf>
HWY_INLINE void requantise_by(const int32_t* acc, size_t pixels, const RequantiseLanes& lanes,
                              int8_t* y, const ScaleOf& scale_of) {
  const D32 d32;
  const D8 d8;
  const V32 zero = hn::Set(d32, lanes.zero);
  // Clamped before the zero point is added, which then cannot wrap.
  const V32 min = hn::Set(d32, lanes.min - lanes.zero), max = hn::Set(d32, lanes.max - lanes.zero);
  for (size_t v = 0; v < kLanes; v += kWide) {
    const auto scale = scale_of(v);
    for (size_t p = 0; p < pixels; ++p) {
      const V32 scaled = scale(hn::LoadU(d32, acc + p * kLanes + v));
      const V32 value = hn::Add(hn::Min(hn::Max(scaled, min), max), zero);
      hn::StoreU(hn::DemoteTo(d8, value), d8, y + p * kLanes + v);
    }
  }
}

void requantise(const int32_t* acc, size_t pixels, const RequantiseLanes& lanes, int8_t* y) {
  const D32 d32;
  using Rule = RequantiseLanes::Rule;
  switch (lanes.rule) {
    case Rule::kDouble:
      return requantise_by(acc, pixels, lanes, y, [&](size_t v) HWY_ATTR {
        return ScaleDouble(hn::LoadU(d32, lanes.multiplier + v), hn::LoadU(d32, lanes.left + v),
                           hn::LoadU(d32, lanes.right + v));
      });
    case Rule::kFloat:
      return requantise_by(acc, pixels, lanes, y, [&](size_t v) HWY_ATTR {
        const V32 bits = hn::LoadU(d32, lanes.multiplier + v);
        return [bits](V32 x) HWY_ATTR { return scale_float(x, bits); };
      });
    case Rule::kDivide:
      return requantise_by(acc, pixels, lanes, y, [&](size_t) HWY_ATTR {
        return [&lanes](V32 x) HWY_ATTR { return divide(x, lanes.reciprocal, lanes.half); };
      });
    case Rule::kSingle:
      return requantise_by(acc, pixels, lanes, y, [&](size_t v) HWY_ATTR {
        return ScaleSingle(hn::LoadU(d32, lanes.multiplier + v), hn::LoadU(d32, lanes.right + v));
      });
    case Rule::kLowByte:
      return requantise_by(acc, pixels, lanes, y, [](size_t) HWY_ATTR {
        return [](V32 x) HWY_ATTR { return hn::ShiftRight<24>(hn::ShiftLeft<24>(x)); };
      });
  }
}

template <class Combine>
HWY_INLINE void element_wise_by(int8_t* y, const int8_t* b, size_t pixels, const ElementWise& e,
                                const Combine& combine) {
  const D32 d32;
  const D8 d8;
  const V32 zero = hn::Set(d32, e.out_zero);
  const V32 min = hn::Set(d32, e.min - e.out_zero), max = hn::Set(d32, e.max - e.out_zero);
  for (size_t i = 0; i < pixels * kLanes; i += kWide) {
    const V32 first = hn::PromoteTo(d32, hn::LoadU(d8, y + i));
    const V32 second = hn::PromoteTo(d32, hn::LoadU(d8, b + i));
    const V32 value = hn::Add(hn::Min(hn::Max(combine(first, second), min), max), zero);
    hn::StoreU(hn::DemoteTo(d8, value), d8, y + i);
  }
}

void element_wise(int8_t* y, const int8_t* b, size_t pixels, const ElementWise& e) {
  const D32 d32;
  const auto all = [&](int32_t value) HWY_ATTR { return hn::Set(d32, value); };
  const auto by = [&](const DoubleScale& s) HWY_ATTR {
    return ScaleDouble(all(s.multiplier), all(s.left), all(s.right));
  };
  const V32 a_zero = all(e.a_zero), b_zero = all(e.b_zero);
  using Kind = ElementWise::Kind;
  switch (e.kind) {
    case Kind::kTwiceScaled: {
      const ScaleDouble by_a = by(e.a), by_b = by(e.b), by_out = by(e.out);
      const V32 left = all(e.left);
      const bool subtract = e.subtract;
      return element_wise_by(y, b, pixels, e, [&](V32 p, V32 q) HWY_ATTR {
        const V32 one = by_a(hn::Shl(hn::Sub(p, a_zero), left));
        const V32 two = by_b(hn::Shl(hn::Sub(q, b_zero), left));
        return by_out(subtract ? hn::Sub(one, two) : hn::Add(one, two));
      });
    }
    case Kind::kMultiplyAdd:
      return element_wise_by(y, b, pixels, e, [&](V32 p, V32 q) HWY_ATTR {
        const V32 sum = hn::Add(hn::Mul(p, all(e.a_multiplier)), hn::Mul(q, all(e.b_multiplier)));
        return hn::Shr(hn::Add(sum, all(e.addend)), all(e.shift));
      });
    case Kind::kProductDouble: {
      const ScaleDouble by_out = by(e.out);
      return element_wise_by(y, b, pixels, e, [&](V32 p, V32 q) HWY_ATTR {
        return by_out(hn::Mul(hn::Sub(p, a_zero), hn::Sub(q, b_zero)));
      });
    }
    case Kind::kProductFloat:
      return element_wise_by(y, b, pixels, e, [&](V32 p, V32 q) HWY_ATTR {
        return scale_float(hn::Mul(hn::Sub(p, a_zero), hn::Sub(q, b_zero)), all(e.scale_bits));
      });
  }
}

VectorLoops loops() {
  return {widen, pair_weights, convolve, convolve_lanes, requantise, element_wise};
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace presil::dla
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace presil::dla {
HWY_EXPORT(loops);

const VectorLoops& vector_loops() {
  static const VectorLoops best = HWY_DYNAMIC_DISPATCH(loops)();
  return best;
}

std::vector<std::pair<std::string, VectorLoops>> all_vector_loops() {
  std::vector<std::pair<std::string, VectorLoops>> all;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    if (target == HWY_SCALAR) continue;
    all.emplace_back(hwy::TargetName(target), HWY_DYNAMIC_DISPATCH(loops)());
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  all.emplace_back("plain", plain_loops());
  return all;
}

}  // namespace presil::dla
#endif
