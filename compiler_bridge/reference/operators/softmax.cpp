// int8 softmax over the last axis; int16: softmax_int16.cpp.
// tflite (TFLite Micro), in fixed point:
//   scale = beta * s_x * 2^26 in double (at most 2^31 - 1), as a Scale m * 2^shift;
//   d = x - largest x of the row; below -floor(31 * 2^26 / 2^shift) its exponential is 0;
//   e(d) = exp_of_negative(multiply(d, scale)), 5 integer bits, Q31;
//   sum = sum of e rounded to Q19 (12 integer bits); with h leading zeros of sum as 32 bits,
//   inverse = one_over_one_plus((sum << h) - 2^31), Q31;
//   y = (inverse * e) >> (12 - h + 23), rounded, ties away from zero, - 128, saturated.
// xnnpack: XNNPACK has none for int8; LiteRT's own kernel, in float32 and in this order:
//   e(d) = exp(-(s_x * beta) * d), d = largest x of the row - x; sum of the row's e from the left;
//   inverse = 1 / (sum / 256); y = round(e * inverse) - 128, halves up, saturated.
#include "compiler_bridge/reference/softmax.h"

#include <algorithm>
#include <cmath>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_functions.h"
#include "compiler_bridge/reference/fixed_point.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/int16.h"

namespace presil::reference::operators {
namespace {

constexpr int kIntegerBits = 5;

class Exponential {
 public:
  explicit Exponential(double input_scale) {
    const double real = std::min(input_scale * (1 << 26), 2147483647.0);
    m_scale = to_scale(real);
    const int64_t radius = int64_t{31} << 26;
    m_lowest = -(m_scale.shift >= 0 ? radius >> m_scale.shift : radius);
  }
  /// Q31; 0 where d is too far below
  int32_t operator()(int32_t d) const {
    return d < m_lowest ? 0 : exp_of_negative(multiply(d, m_scale), kIntegerBits);
  }

 private:
  Scale m_scale;
  int64_t m_lowest;
};

void in_float(const Case& c) {
  const ExponentialTable e(c.in().quantization.scale() * c.attributes<ir::Softmax>().beta);
  for_each_row(c, [&](const Row& row) {
    const float inverse = 1.0f / (e.sum(row) * 0.00390625f);
    for (int64_t i = 0; i < row.length; ++i) {
      const float share = e(row.largest - row.x[i]) * inverse;
      row.y[i] = to_int8(static_cast<int32_t>(std::round(share)) - 128);
    }
  });
}

}  // namespace

void softmax(const Case& c) {
  if (c.floats()) return softmax_float(c);
  if (c.out().dtype == ir::DType::kInt16) return softmax_int16(c);
  if (!c.tflite()) return in_float(c);
  const double beta = c.attributes<ir::Softmax>().beta;
  const Exponential e(beta * static_cast<double>(c.in().quantization.scale()));
  for_each_row(c, [&](const Row& row) {
    uint32_t sum = 0;
    for (int64_t i = 0; i < row.length; ++i) {
      sum += static_cast<uint32_t>(rounding_shift_right(e(row.x[i] - row.largest), 12));
    }
    int zeros = 0;  // sum is not 0: the largest value adds 2^19
    while ((sum << zeros >> 31) == 0) ++zeros;
    const int32_t inverse = one_over_one_plus(static_cast<int32_t>((sum << zeros) - 0x80000000u));
    for (int64_t i = 0; i < row.length; ++i) {
      const int32_t share = doubling_high_mul(inverse, e(row.x[i] - row.largest));
      row.y[i] = to_int8(rounding_shift_right(share, 12 - zeros + 23) - 128);
    }
  });
}

}  // namespace presil::reference::operators
