// Leaky ReLU of int16: one factor above 0, another below.
#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(0, PRESIL_INT16);
  c.dtype(1, PRESIL_INT16);
  c.elements(1, presil_tensor_elements(&task[0]));
  const auto a = task.as<presil_leaky_relu_attributes>();
  c.range("shift_above", a.shift_above, -31, 30);
  c.range("shift_below", a.shift_below, -31, 30);
}

void run(const Task& task) {
  const auto a = task.as<presil_leaky_relu_attributes>();
  const int16_t* x = task.data<const int16_t>(0);
  int16_t* y = task.data<int16_t>(1);
  const uint64_t n = presil_tensor_elements(&task[1]);
  for (uint64_t i = 0; i < n; ++i) {
    const int32_t v = x[i] < 0 ? double_rounding(x[i], a.multiplier_below, a.shift_below)
                               : double_rounding(x[i], a.multiplier_above, a.shift_above);
    y[i] = static_cast<int16_t>(clamp(v, INT16_MIN, INT16_MAX));
  }
}

}  // namespace

// {x i16, y i16}: double rounding, of its own above and below 0; presil_leaky_relu_attributes.
const Kernel kLeakyReluI16{"leaky_relu_i16", sizeof(presil_leaky_relu_attributes), 1, check, run,
                           elements_written};

}  // namespace presil::kernels
