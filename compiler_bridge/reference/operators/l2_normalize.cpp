// y = x / sqrt(sum of x * x) over the last axis.
// int8, y in steps of 1/128 around 0, as TFLite Micro's and LiteRT's l2_normalization: with
// r = inverse_root(sum of (x - z_x)^2), y = multiply(x - z_x, r * 2^7), saturated.
#include "compiler_bridge/reference/fixed_functions.h"
#include "compiler_bridge/reference/float32.h"

namespace presil::reference::operators {

void l2_normalize(const Case& c) {
  if (c.floats()) return l2_normalize_float(c);
  const int64_t depth = c.in().shape.back();
  const int32_t zero = c.in().quantization.zero_point();
  for (int64_t row = 0; row < c.in().elements() / depth; ++row) {
    const int8_t* x = c.read<int8_t>() + row * depth;
    int8_t* y = c.write<int8_t>() + row * depth;
    uint32_t sum = 0;
    for (int64_t i = 0; i < depth; ++i) {
      sum += static_cast<uint32_t>((x[i] - zero) * (x[i] - zero));
    }
    const Scale root = inverse_root(static_cast<int32_t>(sum));
    for (int64_t i = 0; i < depth; ++i) {
      y[i] = to_int8(multiply(x[i] - zero, {root.multiplier, root.shift + 7}));
    }
  }
}

}  // namespace presil::reference::operators
