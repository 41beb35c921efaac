// y[row, k] = requantise(bias[k] + sum over c of (x[row, c] - x zero point)
//     * (w[k, c] - w zero point)).
// acc is int32 and wraps. Under `tflite` a weight tensor with one scale takes its multiplier from
// float32(s_x * s_w), unlike a convolution (requantize.h).
#include "compiler_bridge/reference/accumulate.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/int16.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference::operators {

void fully_connected(const Case& c) {
  if (c.floats()) return fully_connected_float(c);
  if (c.in(0).dtype == ir::DType::kInt16) return fully_connected_int16(c);
  const auto outputs = static_cast<size_t>(c.in(1).shape[0]);
  const auto inputs = static_cast<size_t>(c.in(1).shape[1]);
  const auto count = static_cast<size_t>(c.in(0).elements());
  const auto x = centred(c.read<int8_t>(0), count, c.in(0).quantization.zero_point());
  const auto w = centred(c.read<int8_t>(1), outputs * inputs, c.in(1).quantization.zero_point());
  const auto bias = bias_of(c, outputs);
  const Requantizer requantize(c, c.attributes<ir::FullyConnected>().act);
  int8_t* y = c.write<int8_t>();
  for (size_t row = 0; row < count / inputs; ++row) {
    for (size_t k = 0; k < outputs; ++k) {
      const int32_t sum = dot(x.data() + row * inputs, w.data() + k * inputs, inputs);
      *y++ = requantize(wrapping_add(sum, bias[k]), k);
    }
  }
}

}  // namespace presil::reference::operators
