// Rows of n floats on the last axis: mean = sum16(x) / n, variance = sum16((x - mean)^2) / n,
// root = 1 / sqrt(variance + epsilon), gain = root * gamma, y = x * gain + (beta - mean * gain);
// every operation rounds.
#include "driver/kernels/host/float_math.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(4)) return;
  check_floats(task, c);
  c.at_least("rank", task[0].rank, 1);
  if (!c.ok()) return;
  const uint64_t depth = task[0].shape[task[0].rank - 1];
  c.elements(1, depth), c.elements(2, depth);
  c.elements(3, presil_tensor_elements(&task[0]));
}

void run(const Task& task) {
  const float epsilon = task.as<presil_layer_norm_attributes>().epsilon;
  const uint64_t depth = task[0].shape[task[0].rank - 1];
  const auto n = static_cast<float>(depth);
  const float *x = task.data<const float>(0), *gamma = task.data<const float>(1),
              *beta = task.data<const float>(2);
  float* y = task.data<float>(3);
  for (uint64_t row = presil_tensor_elements(&task[0]) / depth; row > 0; --row) {
    const float mean = sum16(depth, [x](uint64_t i) { return x[i]; }) / n;
    const float squares = sum16(depth, [x, mean](uint64_t i) {
      const float apart = x[i] - mean;
      return apart * apart;
    });
    const float root = 1.0f / __builtin_sqrtf(squares / n + epsilon);
    for (uint64_t i = 0; i < depth; ++i) {
      const float gain = root * gamma[i];
      y[i] = number_or_nan(x[i] * gain + (beta[i] - mean * gain));
    }
    x += depth, y += depth;
  }
}

// A value is read three times, and 8 operations.
uint64_t work(const Task& task) {
  return 3 * elements_written(task);
}

}  // namespace

// {x, gamma [n], beta [n], y}: rows of the last axis; presil_layer_norm_attributes.
const Kernel kLayerNormF32{
    "layer_norm_f32", sizeof(presil_layer_norm_attributes), 1, check, run, work};

}  // namespace presil::kernels
