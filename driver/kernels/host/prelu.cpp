// ReLU with a slope below zero that is a tensor; int8 and int16, alpha int8.
#include "driver/kernels/host/integers.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  check_integer(task, c, 0, 2);
  c.dtype(1, PRESIL_INT8);
  c.dtype(2, task[0].dtype);
  c.elements(2, presil_tensor_elements(&task[0]));
  c.broadcasts(0, 2);
  c.broadcasts(1, 2);
  const auto a = task.as<presil_prelu_attributes>();
  c.range("shift_above", a.shift_above, -31, 30);
  c.range("shift_below", a.shift_below, -31, 30);
  c.range("in_zero", a.in_zero, lowest(task[0].dtype), highest(task[0].dtype));
  c.range("alpha_zero", a.alpha_zero, -128, 127);
  c.range("out_zero", a.out_zero, lowest(task[0].dtype), highest(task[0].dtype));
}

void run(const Task& task) {
  const auto p = task.as<presil_prelu_attributes>();
  const int8_t* alpha = task.data<const int8_t>(1);
  Walk<2> walk;
  walk.rank = task[2].rank;
  for (uint32_t i = 0; i < walk.rank; ++i) walk.shape[i] = task[2].shape[i];
  broadcast_strides(task[0], walk.rank, walk.stride[0]);
  broadcast_strides(task[1], walk.rank, walk.stride[1]);
  const uint64_t n = walk.size();
  for (uint64_t i = 0; i < n; ++i, walk.next()) {
    const int32_t x = load_integer(task[0], static_cast<uint64_t>(walk.at[0])) - p.in_zero;
    const int32_t slope = alpha[walk.at[1]] - p.alpha_zero;
    const int32_t v = x >= 0 ? double_rounding(x, p.multiplier_above, p.shift_above)
                             : double_rounding(x * slope, p.multiplier_below, p.shift_below);
    store_integer(task[2], i, int64_t{v} + p.out_zero);
  }
}

}  // namespace

// {x, alpha i8, y}, x and y i8 or i16: double rounding of x - in_zero, below 0 of its product with
// alpha - alpha_zero, which broadcasts; presil_prelu_attributes.
const Kernel kPrelu{"prelu", sizeof(presil_prelu_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
