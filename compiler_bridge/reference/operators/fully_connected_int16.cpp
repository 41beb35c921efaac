// y[row, k] = requantise(bias[k] + sum over c of x[row, c] * w[k, c])
// (TFLite Micro fully_connected, int16 with int8 weights.)
#include "compiler_bridge/reference/int16.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference {

void fully_connected_int16(const Case& c) {
  const int64_t outputs = c.in(1).shape[0];
  const auto inputs = static_cast<size_t>(c.in(1).shape[1]);
  const WideRequantizer requantize(c, c.attributes<ir::FullyConnected>().act);
  const int16_t* x = c.read<int16_t>(0);
  int16_t* y = c.write<int16_t>();
  for (int64_t i = 0; i < c.out().elements(); ++i) {
    const auto row = static_cast<size_t>(i / outputs), k = static_cast<size_t>(i % outputs);
    y[i] = requantize(wide_dot(x + row * inputs, c.read<int8_t>(1) + k * inputs, inputs), k);
  }
}

}  // namespace presil::reference
