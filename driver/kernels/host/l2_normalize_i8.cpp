// Rows of the last axis by their length, in steps of 1/128: double rounding of x - in_zero with the
// inverse root of the sum of its squares, shifted by 7 more.
#include "driver/kernels/host/inverse_root.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(0, PRESIL_INT8);
  c.dtype(1, PRESIL_INT8);
  c.at_least("rank", task[0].rank, 1);
  c.elements(1, presil_tensor_elements(&task[0]));
  const auto a = task.as<presil_l2_normalize_attributes>();
  c.range("in_zero", a.in_zero, -128, 127);
  // The sum of squares is an int32.
  if (c.ok()) c.at_most("size of the last axis", task[0].shape[task[0].rank - 1], 32767);
}

void run(const Task& task) {
  const int32_t zero = task.as<presil_l2_normalize_attributes>().in_zero;
  const uint64_t depth = task[0].shape[task[0].rank - 1];
  const int8_t* x = task.data<const int8_t>(0);
  int8_t* y = task.data<int8_t>(1);
  for (uint64_t row = presil_tensor_elements(&task[0]) / depth; row > 0; --row) {
    uint32_t sum = 0;
    for (uint64_t i = 0; i < depth; ++i) {
      sum += static_cast<uint32_t>((x[i] - zero) * (x[i] - zero));
    }
    const Fraction root = inverse_root(sum);
    for (uint64_t i = 0; i < depth; ++i) {
      const int32_t v = double_rounding(x[i] - zero, root.multiplier, root.shift + 7);
      y[i] = static_cast<int8_t>(clamp(v, -128, 127));
    }
    x += depth, y += depth;
  }
}

}  // namespace

// {x i8, y i8}: rows of the last axis by their length; presil_l2_normalize_attributes.
const Kernel kL2NormalizeI8{
    "l2_normalize_i8", sizeof(presil_l2_normalize_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
