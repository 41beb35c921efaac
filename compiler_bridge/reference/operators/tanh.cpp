// y = tanh(x).
// tflite (TFLite Micro, y in steps of 1/128 around 0): v = multiply(x - z_x, Scale of s_x * 2^27 in
//   double), Q27; beyond +-floor(15 * 2^27 / 2^shift) y is -128 or 127; else
//   t = one_minus_over_one_plus(exp_of_negative(-2 * |v|)), 5 integer bits (the same bits as v);
//   y = t with v's sign >> 24, rounded, ties away from zero, saturated.
// xnnpack: the table of unary.h. int16: sigmoid_int16.cpp.
#include <algorithm>
#include <cmath>

#include "compiler_bridge/reference/fixed_functions.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/int16.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void tanh(const Case& c) {
  if (c.floats()) return function_float(c);
  if (c.out().dtype == ir::DType::kInt16) return tanh_int16(c);
  if (!c.tflite()) return tabulated(c, [](double x) { return std::tanh(x); });
  const ir::Quantization& q = c.in().quantization;
  const Scale scale = to_scale(static_cast<double>(q.scale()) * (1 << 27));
  const int64_t fifteen = int64_t{15} << 27;
  const int64_t radius = scale.shift >= 0 ? fifteen >> std::min(scale.shift, 62) : fifteen;
  for_each_value(c, [&](int32_t stored) {
    const int32_t x = stored - q.zero_point();
    if (x <= -radius) return -128;
    if (x >= radius) return 127;
    const int32_t v = multiply(x, scale);
    if (v == 0) return 0;
    const int32_t t = one_minus_over_one_plus(exp_of_negative(v > 0 ? -v : v, 5));
    return rounding_shift_right(v > 0 ? t : -t, 24);
  });
}

}  // namespace presil::reference::operators
