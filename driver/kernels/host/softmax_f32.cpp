// Softmax over the last axis of floats: e = exp((x - max) * beta), s = sum16 of e, y = e * (1 / s);
// its logarithm: (x - max) - ln s, ln in double, rounded to float.
#include "driver/kernels/host/float_functions.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  check_floats(task, c);
  c.at_least("rank", task[0].rank, 1);
  c.elements(1, presil_tensor_elements(&task[0]));
  c.range("logarithm", task.as<presil_softmax_f32_attributes>().logarithm, 0, 1);
}

void run(const Task& task) {
  const auto a = task.as<presil_softmax_f32_attributes>();
  const uint64_t depth = task[0].shape[task[0].rank - 1];
  const float* x = task.data<const float>(0);
  float* y = task.data<float>(1);
  for (uint64_t row = presil_tensor_elements(&task[0]) / depth; row > 0; --row) {
    float best = -infinity();
    for (uint64_t i = 0; i < depth; ++i) best = max_number(best, x[i]);
    for (uint64_t i = 0; i < depth; ++i) y[i] = exp_f32((x[i] - best) * a.beta);
    const float sum = sum16(depth, [y](uint64_t i) { return y[i]; });
    if (a.logarithm != 0) {
      const float log = static_cast<float>(log_f64(static_cast<double>(sum)));
      for (uint64_t i = 0; i < depth; ++i) y[i] = number_or_nan(x[i] - best - log);
      x += depth, y += depth;
      continue;
    }
    const float share = 1.0f / sum;
    for (uint64_t i = 0; i < depth; ++i) y[i] = number_or_nan(y[i] * share);
    x += depth, y += depth;
  }
}

}  // namespace

// {x, y}: over the last axis; presil_softmax_f32_attributes.
const Kernel kSoftmaxF32{"softmax_f32",   sizeof(presil_softmax_f32_attributes), 1, check, run,
                         elements_written};

}  // namespace presil::kernels
