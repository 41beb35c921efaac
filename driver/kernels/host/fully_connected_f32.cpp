// Rows of x times the weight matrix [out, in], from the bias on: products of float_math.h, then
// the clamp.
#include "driver/kernels/host/float_math.h"

namespace presil::kernels {
namespace {

enum : uint32_t { kX, kWeights, kStart, kY, kTensors };

void check(const Task& task, Check& c) {
  if (!c.count(kTensors)) return;
  check_floats(task, c);
  c.rank(kWeights, 2);
  if (!c.ok()) return;
  const uint32_t out = task[kWeights].shape[0], in = task[kWeights].shape[1];
  const uint64_t values = presil_tensor_elements(&task[kX]);
  c.elements(kStart, out);
  if (values % in) c.refuse("values left over by rows of `in`", kX, values % in, 0);
  c.elements(kY, values / in * out);
  const auto a = task.as<presil_clamp_f32_attributes>();
  check_bounds(a.low, a.high, c);
}

uint64_t macs(const Task& task) {
  return presil_tensor_elements(&task[kY]) * task[kWeights].shape[1];
}

void run(const Task& task) {
  const auto a = task.as<presil_clamp_f32_attributes>();
  const int64_t out = task[kWeights].shape[0], in = task[kWeights].shape[1];
  const float *x = task.data<const float>(kX), *bias = task.data<const float>(kStart);
  float* y = task.data<float>(kY);
  for (uint64_t row = presil_tensor_elements(&task[kX]) / in; row > 0; --row, x += in, y += out) {
    for (int64_t o = 0; o < out; o += kSideBySide) {
      const int64_t count = at_once(out - o);
      float sum[kSideBySide] = {};
      for (int64_t j = 0; j < count; ++j) sum[j] = bias[o + j];
      Rows(task.data<const float>(kWeights) + o * in, in, count).add(sum, x, 0, in);
      for (int64_t j = 0; j < count; ++j) y[o + j] = within(sum[j], a.low, a.high);
    }
  }
}

}  // namespace

// {x [.. in], weights [out,in], bias [out], y [.. out]}: presil_clamp_f32_attributes.
const Kernel kFullyConnectedF32{
    "fully_connected_f32", sizeof(presil_clamp_f32_attributes), 1, check, run, macs};

}  // namespace presil::kernels
