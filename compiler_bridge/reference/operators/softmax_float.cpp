// Along the last axis, with m the largest of the row (float_order.h):
//   softmax      e = exponential((x - m) * beta), s = sum16 of e, y = e * (1 / s)
//   log_softmax  s likewise with beta 1; y = (x - m) - ln s, the logarithm (float_functions.h)
//   rounded l2_normalize s = sum16 of x * x, y = clamp(x / max(sqrt s, 1e-6))
#include <cmath>
#include <limits>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/float_functions.h"

namespace presil::reference {

void softmax_float(const Case& c) {
  const float beta = c.attributes<ir::Softmax>().beta;
  const int64_t depth = c.in().shape.back();
  const float* x = c.read<float>();
  float* y = c.write<float>();
  for (int64_t row = 0; row < c.in().elements() / depth; ++row, x += depth, y += depth) {
    float largest = -std::numeric_limits<float>::infinity();
    for (int64_t i = 0; i < depth; ++i) largest = larger(largest, x[i]);
    Sum16 sum;
    for (int64_t i = 0; i < depth; ++i) {
      y[i] = exponential((x[i] - largest) * beta);
      sum.add(y[i]);
    }
    const float share = 1.0f / sum.total();
    for (int64_t i = 0; i < depth; ++i) y[i] = settled(y[i] * share);
  }
}

void log_softmax_float(const Case& c) {
  const int64_t depth = c.in().shape.back();
  const float* x = c.read<float>();
  float* y = c.write<float>();
  for (int64_t row = 0; row < c.in().elements() / depth; ++row, x += depth, y += depth) {
    float largest = -std::numeric_limits<float>::infinity();
    for (int64_t i = 0; i < depth; ++i) largest = larger(largest, x[i]);
    Sum16 sum;
    for (int64_t i = 0; i < depth; ++i) sum.add(exponential(x[i] - largest));
    const auto log = static_cast<float>(natural_log(static_cast<double>(sum.total())));
    for (int64_t i = 0; i < depth; ++i) y[i] = settled(x[i] - largest - log);
  }
}

void l2_normalize_float(const Case& c) {
  const Bounds bounds = bounds_of(c.attributes<ir::Elementwise>().act);
  const int64_t depth = c.in().shape.back();
  const float* x = c.read<float>();
  float* y = c.write<float>();
  for (int64_t row = 0; row < c.in().elements() / depth; ++row, x += depth, y += depth) {
    Sum16 sum;
    for (int64_t i = 0; i < depth; ++i) sum.add(x[i] * x[i]);
    const float length = larger(std::sqrt(sum.total()), 1e-6f);
    for (int64_t i = 0; i < depth; ++i) y[i] = clamped(x[i] / length, bounds);
  }
}

}  // namespace presil::reference
