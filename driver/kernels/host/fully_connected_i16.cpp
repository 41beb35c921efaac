// Rows of int16 times a matrix of int8 [out, in], plus bias; sums of int64 (wide.h).
#include "driver/kernels/host/wide.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(kConvTensors)) return;
  c.rank(kWeights, 2);
  if (!c.ok()) return;
  const uint32_t out = task[kWeights].shape[0], in = task[kWeights].shape[1];
  check_wide_parameters(c, out);
  const uint64_t values = presil_tensor_elements(&task[kX]);
  if (values % in) c.refuse("values left over by rows of `in`", kX, values % in, 0);
  c.elements(kY, values / in * out);
  check_wide_attributes(task.as<presil_fully_connected_attributes>(), c, true);
}

uint64_t macs(const Task& task) {
  return presil_tensor_elements(&task[kY]) * task[kWeights].shape[1];
}

void run(const Task& task) {
  const auto a = task.as<presil_fully_connected_attributes>();
  const uint32_t out = task[kWeights].shape[0], in = task[kWeights].shape[1];
  const uint64_t rows = presil_tensor_elements(&task[kX]) / in;
  const int16_t* x = task.data<const int16_t>(kX);
  int16_t* y = task.data<int16_t>(kY);
  for (uint64_t row = 0; row < rows; ++row, x += in) {
    const int8_t* w = task.data<const int8_t>(kWeights);
    for (uint32_t o = 0; o < out; ++o, w += in) {
      int64_t sum = 0;
      for (uint32_t i = 0; i < in; ++i) sum += int32_t{x[i]} * w[i];
      *y++ = requantise_wide(task, a, o, sum);
    }
  }
}

}  // namespace

// int16 activations, int8 weights, zero points 0, sums of int64 that wrap. The attributes are
// those of the int8 kernels with zeros of 0 and the rule wide or once, or double or double up: then
// of the sum's low 32 bits. {x i16, weights i8, bias i64, multiplier i32, shift i8, y i16}, shapes
// as there.
const Kernel kFullyConnectedI16{
    "fully_connected_i16", sizeof(presil_fully_connected_attributes), 1, check, run, macs};

}  // namespace presil::kernels
