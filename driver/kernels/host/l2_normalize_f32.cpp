// Rows of the last axis divided by their length: s = sum16 of x * x, y = x / max(sqrt(s), 1e-6).
#include "driver/kernels/host/float_math.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  check_floats(task, c);
  c.at_least("rank", task[0].rank, 1);
  c.elements(1, presil_tensor_elements(&task[0]));
  const auto a = task.as<presil_clamp_f32_attributes>();
  check_bounds(a.low, a.high, c);
}

void run(const Task& task) {
  const auto a = task.as<presil_clamp_f32_attributes>();
  const uint64_t depth = task[0].shape[task[0].rank - 1];
  const float* x = task.data<const float>(0);
  float* y = task.data<float>(1);
  for (uint64_t row = presil_tensor_elements(&task[0]) / depth; row > 0; --row) {
    const float square = sum16(depth, [x](uint64_t i) { return x[i] * x[i]; });
    const float length = max_number(__builtin_sqrtf(square), 1e-6f);
    for (uint64_t i = 0; i < depth; ++i) y[i] = within(x[i] / length, a.low, a.high);
    x += depth, y += depth;
  }
}

}  // namespace

// {x, y}: rows of the last axis by their length; presil_clamp_f32_attributes.
const Kernel kL2NormalizeF32{"l2_normalize_f32", sizeof(presil_clamp_f32_attributes), 1, check, run,
                             elements_written};

}  // namespace presil::kernels
