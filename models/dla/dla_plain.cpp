// The inner loops in plain C++, each written as section "Numerics" of rtl/dla/README.md says it.
#include <cmath>
#include <cstring>

#include "models/dla/dla_vector.h"

namespace presil::dla {
namespace {

// int32 arithmetic wraps.
int32_t wrapped(int64_t value) {
  return static_cast<int32_t>(static_cast<uint32_t>(value));
}

int32_t saturated(int64_t value) {
  return static_cast<int32_t>(value < INT32_MIN   ? INT32_MIN
                              : value > INT32_MAX ? INT32_MAX
                                                  : value);
}

int32_t clamp(int64_t value, int32_t min, int32_t max) {
  return static_cast<int32_t>(value < min ? min : value > max ? max : value);
}

void widen(const uint8_t* from, ptrdiff_t step, size_t pixels, int16_t* to) {
  for (size_t p = 0; p < pixels; ++p) {
    for (size_t c = 0; c < kLanes; ++c) {
      to[p * kLanes + c] = static_cast<int8_t>(from[static_cast<ptrdiff_t>(p) * step + c]);
    }
  }
}

void pair_weights(const uint8_t* set, size_t pitch, int zero, int16_t* pairs) {
  for (size_t k = 0; k < kLanes; ++k) {
    for (size_t c = 0; c < kLanes; ++c) {
      const int weight = static_cast<int8_t>(set[k * pitch + c]) - zero;
      pairs[(c / 2 * kLanes + k) * 2 + c % 2] = static_cast<int16_t>(weight);
    }
  }
}

void convolve(const int16_t* x, const ptrdiff_t* offset, size_t sets, const int16_t* pairs,
              size_t pixels, const int32_t* from, size_t from_step, int32_t* acc) {
  for (size_t p = 0; p < pixels; ++p) {
    for (size_t k = 0; k < kLanes; ++k) acc[p * kLanes + k] = from[p * from_step + k];
    for (size_t s = 0; s < sets; ++s) {
      const int16_t* word = x + offset[s] + p * kLanes;
      const int16_t* w = pairs + s * kSetBytes;
      for (size_t c = 0; c < kLanes; ++c) {
        for (size_t k = 0; k < kLanes; ++k) {
          int32_t& sum = acc[p * kLanes + k];
          sum = wrapped(int64_t{sum} + word[c] * w[(c / 2 * kLanes + k) * 2 + c % 2]);
        }
      }
    }
  }
}

void convolve_lanes(const int16_t* x, const ptrdiff_t* offset, size_t taps, const int16_t* w,
                    size_t pixels, const int32_t* from, size_t from_step, int32_t* acc) {
  for (size_t p = 0; p < pixels; ++p) {
    for (size_t k = 0; k < kLanes; ++k) acc[p * kLanes + k] = from[p * from_step + k];
    for (size_t t = 0; t < taps; ++t) {
      const int16_t* word = x + offset[t] + p * kLanes;
      for (size_t k = 0; k < kLanes; ++k) {
        int32_t& sum = acc[p * kLanes + k];
        sum = wrapped(int64_t{sum} + word[k] * w[t * kLanes + k]);
      }
    }
  }
}

// Double rounding, first half: x * m / 2^31 to the nearest.
int32_t doubling_high(int32_t x, int32_t m) {
  if (x == INT32_MIN && m == INT32_MIN) return INT32_MAX;
  const int64_t product = int64_t{x} * m;
  const int64_t nudge = product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30);
  return static_cast<int32_t>((product + nudge) / (int64_t{1} << 31));
}

// Double rounding, second half: ties away from zero.
int32_t round_shift(int32_t x, int32_t right) {
  const int64_t mask = (int64_t{1} << right) - 1;
  const int64_t rest = x & mask;
  const int64_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return static_cast<int32_t>((x >> right) + (rest > threshold ? 1 : 0));
}

int32_t scale_double(int32_t x, int32_t multiplier, int32_t left, int32_t right) {
  return round_shift(doubling_high(wrapped(int64_t{x} * (int64_t{1} << left)), multiplier), right);
}

int32_t scale_float(int32_t x, int32_t bits) {
  float scale;
  std::memcpy(&scale, &bits, sizeof scale);
  const float product = static_cast<float>(x) * scale;
  if (product != product) return 0;
  if (product >= 2147483648.0f) return INT32_MAX;
  if (product <= -2147483648.0f) return INT32_MIN;
  // To the nearest even integer whatever the rounding mode: a difference of floats this close is
  // exact.
  const float below = std::floor(product);
  const float rest = product - below;
  const auto lower = static_cast<int64_t>(below);
  const bool up = rest > 0.5f || (rest == 0.5f && (lower & 1) != 0);
  return saturated(lower + (up ? 1 : 0));
}

int32_t scale_single(int32_t x, int32_t multiplier, int32_t places) {
  const int64_t half = int64_t{1} << (places - 1);
  return saturated((int64_t{x} * multiplier + half) >> places);
}

int32_t divide(int32_t x, uint32_t reciprocal, uint32_t half) {
  const auto size = static_cast<uint32_t>(x < 0 ? -int64_t{x} : int64_t{x});
  const auto quotient = static_cast<int64_t>(uint64_t{size + half} * reciprocal >> 32);
  return wrapped(x < 0 ? -quotient : quotient);
}

void requantise(const int32_t* acc, size_t pixels, const RequantiseLanes& lanes, int8_t* y) {
  using Rule = RequantiseLanes::Rule;
  for (size_t i = 0; i < pixels * kLanes; ++i) {
    const size_t k = i % kLanes;
    int64_t value = 0;
    switch (lanes.rule) {
      case Rule::kDouble:
        value = scale_double(acc[i], lanes.multiplier[k], lanes.left[k], lanes.right[k]);
        break;
      case Rule::kFloat:
        value = scale_float(acc[i], lanes.multiplier[k]);
        break;
      case Rule::kDivide:
        value = divide(acc[i], lanes.reciprocal, lanes.half);
        break;
      case Rule::kSingle:
        value = scale_single(acc[i], lanes.multiplier[k], lanes.right[k]);
        break;
      case Rule::kLowByte:
        value = static_cast<int8_t>(acc[i] & 0xff);
        break;
    }
    y[i] = static_cast<int8_t>(clamp(value + lanes.zero, lanes.min, lanes.max));
  }
}

int32_t combine(int32_t a, int32_t b, const ElementWise& e) {
  const auto scaled = [](int32_t x, const DoubleScale& s) {
    return scale_double(x, s.multiplier, s.left, s.right);
  };
  switch (e.kind) {
    case ElementWise::Kind::kTwiceScaled: {
      const int64_t unit = int64_t{1} << e.left;
      const int64_t one = scaled(wrapped((a - e.a_zero) * unit), e.a);
      const int64_t two = scaled(wrapped((b - e.b_zero) * unit), e.b);
      return scaled(wrapped(e.subtract ? one - two : one + two), e.out);
    }
    case ElementWise::Kind::kMultiplyAdd:
      return wrapped(int64_t{a} * e.a_multiplier + int64_t{b} * e.b_multiplier + e.addend) >>
             e.shift;
    case ElementWise::Kind::kProductDouble:
      return scaled((a - e.a_zero) * (b - e.b_zero), e.out);
    case ElementWise::Kind::kProductFloat:
      return scale_float((a - e.a_zero) * (b - e.b_zero), e.scale_bits);
  }
  return 0;
}

void element_wise(int8_t* y, const int8_t* b, size_t pixels, const ElementWise& e) {
  for (size_t i = 0; i < pixels * kLanes; ++i) {
    const int64_t value = int64_t{combine(y[i], b[i], e)} + e.out_zero;
    y[i] = static_cast<int8_t>(clamp(value, e.min, e.max));
  }
}

}  // namespace

VectorLoops plain_loops() {
  return {widen, pair_weights, convolve, convolve_lanes, requantise, element_wise};
}

}  // namespace presil::dla
