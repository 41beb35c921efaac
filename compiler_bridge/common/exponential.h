// The exponential of numbers below 0 in fixed point, as TFLite's kernels of integers have it.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::common {

constexpr int64_t kOne =
    (int64_t{1} << 31) - 1;  ///< 1 as a fraction of 31 bits, as near as it gets

inline int64_t fraction(double value, int bits = 31) {
  return std::llround(std::ldexp(value, bits));
}

/// exp(v) for v <= 0 with `bits` fraction bits, as a 31-bit fraction.
int64_t exp_of_negative(int64_t v, int bits);

/// What a softmax of int8 multiplies differences by: min(scale * 2^26, 2^31 - 1). 31 integer steps
/// below the largest value of a row, the exponential is 0 in the fixed point of the sum.
struct FixedSoftmax {
  int32_t multiplier, left_shift, diff_min;
  FixedSoftmax(const ir::Op& op, double scale);

  /// Of differences -d, by the byte -d: 0, -255, .. -1; fractions of 31 bits.
  std::vector<int32_t> exponentials() const;
};

}  // namespace presil::common
