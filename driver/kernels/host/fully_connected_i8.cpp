// Rows of x times the weight matrix [out, in], plus bias; arithmetic as conv2d_i8.
#include "driver/kernels/host/conv.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(kConvTensors)) return;
  c.rank(kWeights, 2);
  if (!c.ok()) return;
  const uint32_t out = task[kWeights].shape[0], in = task[kWeights].shape[1];
  check_channel_parameters(c, out);
  const uint64_t values = presil_tensor_elements(&task[kX]);
  if (values % in) c.refuse("values left over by rows of `in`", kX, values % in, 0);
  c.elements(kY, values / in * out);
  check_zeros_and_clamp(task.as<presil_fully_connected_attributes>(), c);
}

uint64_t macs(const Task& task) {
  return presil_tensor_elements(&task[kY]) * task[kWeights].shape[1];
}

void run(const Task& task) {
  const auto a = task.as<presil_fully_connected_attributes>();
  const uint32_t out = task[kWeights].shape[0], in = task[kWeights].shape[1];
  const uint64_t rows = presil_tensor_elements(&task[kX]) / in;
  const int8_t* x = task.data<const int8_t>(kX);
  const int8_t* weights = task.data<const int8_t>(kWeights);
  int8_t* y = task.data<int8_t>(kY);
  for (uint64_t row = 0; row < rows; ++row, x += in) {
    for (uint32_t o = 0; o < out; ++o) {
      const int8_t* w = weights + static_cast<uint64_t>(o) * in;
      int32_t acc = task.data<const int32_t>(kBias)[o];
      for (uint32_t i = 0; i < in; ++i) {
        acc = wrap_add(acc, (x[i] - a.in_zero) * (w[i] - a.weight_zero));
      }
      *y++ = requantise(task, a, o, acc);
    }
  }
}

}  // namespace

// {x i8 [.. in], weights i8 [out,in], bias i32, multiplier i32, shift i8 [out], y i8 [.. out]}:
// rows of `in` values whatever x's shape; presil_fully_connected_attributes.
const Kernel kFullyConnectedI8{
    "fully_connected_i8", sizeof(presil_fully_connected_attributes), 1, check, run, macs};

}  // namespace presil::kernels
