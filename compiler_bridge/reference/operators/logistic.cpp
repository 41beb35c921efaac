// y = 1 / (1 + exp(-x)).
// tflite (TFLite Micro, y in steps of 1/256 from -128): v = multiply(x - z_x, Scale of s_x * 2^27
// in
//   double), Q27; beyond +-floor(15 * 2^27 / 2^shift) y is -128 or 127; else
//   p = one_over_one_plus(exp_of_negative(-|v|)), 4 integer bits; 1 - p for v < 0, 1/2 for 0;
//   y = p >> 23, rounded, ties away from zero, - 128, saturated.
// xnnpack: the table of unary.h. int16: sigmoid_int16.cpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler_bridge/reference/fixed_functions.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/int16.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void logistic(const Case& c) {
  if (c.floats()) return function_float(c);
  if (c.out().dtype == ir::DType::kInt16) return logistic_int16(c);
  if (!c.tflite()) return tabulated(c, [](double x) { return 1.0 / (1.0 + std::exp(-x)); });
  const ir::Quantization& q = c.in().quantization;
  const Scale scale = to_scale(static_cast<double>(q.scale()) * (1 << 27));
  const int64_t fifteen = int64_t{15} << 27;
  const int64_t radius = scale.shift >= 0 ? fifteen >> std::min(scale.shift, 62) : fifteen;
  for_each_value(c, [&](int32_t stored) {
    const int32_t x = stored - q.zero_point();
    if (x <= -radius) return -128;
    if (x >= radius) return 127;
    const int32_t v = multiply(x, scale);
    const int32_t p = one_over_one_plus(exp_of_negative(v > 0 ? -v : v, 4));
    const int32_t result = v == 0 ? 1 << 30 : v > 0 ? p : std::numeric_limits<int32_t>::max() - p;
    return rounding_shift_right(result, 23) - 128;
  });
}

}  // namespace presil::reference::operators
