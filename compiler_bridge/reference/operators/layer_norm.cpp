// Rows of the last axis, n values each, of float32:
//   m = sum16 of x / n; v = sum16 of (x - m) * (x - m) / n; r = 1 / sqrt(v + epsilon)
//   g = r * gamma; y = x * g + (beta - m * g)
// each operation rounded: what mean, squared_difference, rsqrt and the rest give one after another
// (passes/fuse_layer_norm.cpp).
#include <cmath>

#include "compiler_bridge/reference/float32.h"

namespace presil::reference::operators {

void layer_norm(const Case& c) {
  const float epsilon = c.attributes<ir::LayerNorm>().epsilon;
  const int64_t depth = c.in().shape.back();
  const auto n = static_cast<float>(depth);
  const float *x = c.read<float>(), *gamma = c.read<float>(1), *beta = c.read<float>(2);
  float* y = c.write<float>();
  const int64_t rows = depth == 0 ? 0 : c.in().elements() / depth;
  for (int64_t row = 0; row < rows; ++row, x += depth, y += depth) {
    Sum16 sum, squares;
    for (int64_t i = 0; i < depth; ++i) sum.add(x[i]);
    const float mean = sum.total() / n;
    for (int64_t i = 0; i < depth; ++i) squares.add((x[i] - mean) * (x[i] - mean));
    const float root = 1.0f / std::sqrt(squares.total() / n + epsilon);
    for (int64_t i = 0; i < depth; ++i) {
      const float gain = root * gamma[i];
      y[i] = settled(x[i] * gain + (beta[i] - mean * gain));
    }
  }
}

}  // namespace presil::reference::operators
