// Sum of x - in_zero over some axes, then rule, zero point, clamp; the multiplier holds 1 / count.
// Float operations: one product with the sum, one sum with the zero point.
#include "driver/kernels/arithmetic.h"
#include "driver/kernels/kernel.h"
#include "driver/kernels/walk.h"

namespace presil::kernels {
namespace {

bool summed(uint32_t axes, uint32_t axis) {
  return (axes >> axis & 1u) != 0;
}

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(0, PRESIL_INT8);
  c.dtype(1, PRESIL_INT8);
  const auto a = task.as<presil_mean_attributes>();
  c.range("axes", a.axes, 1, (int64_t{1} << task[0].rank) - 1);
  c.range("rule", a.rule, PRESIL_RULE_DOUBLE, PRESIL_RULE_FLOAT);
  c.range("shift", a.shift, -31, 30);
  c.range("in_zero", a.in_zero, -128, 127);
  c.range("out_zero", a.out_zero, -128, 127);
  c.clamp(a.act_min, a.act_max);
  if (!c.ok()) return;
  uint64_t kept = 1;
  for (uint32_t axis = 0; axis < task[0].rank; ++axis) {
    if (!summed(a.axes, axis)) kept *= task[0].shape[axis];
  }
  c.elements(1, kept);
}

uint64_t elements_read(const Task& task) {
  return presil_tensor_elements(&task[0]);
}

void run(const Task& task) {
  const auto a = task.as<presil_mean_attributes>();
  const Tensor& x = task[0];
  int64_t dense[PRESIL_KERNEL_MAX_RANK] = {};
  dense_strides(x, dense);
  Walk<1> kept, sum;  // axes that stay, axes that go
  for (uint32_t axis = 0; axis < x.rank; ++axis) {
    Walk<1>& walk = summed(a.axes, axis) ? sum : kept;
    walk.shape[walk.rank] = x.shape[axis];
    walk.stride[0][walk.rank++] = dense[axis];
  }
  const int8_t* in = task.data<const int8_t>(0);
  int8_t* y = task.data<int8_t>(1);
  const uint64_t results = kept.size(), terms = sum.size();
  for (uint64_t i = 0; i < results; ++i, kept.next()) {
    int32_t acc = 0;
    for (uint64_t j = 0; j < terms; ++j, sum.next()) {
      acc = wrap_add(acc, in[kept.at[0] + sum.at[0]] - a.in_zero);
    }
    if (a.rule == PRESIL_RULE_FLOAT) {
      float scale;
      std::memcpy(&scale, &a.multiplier, sizeof scale);
      const float product = static_cast<float>(acc) * scale;
      const int32_t v = round_even(product + static_cast<float>(a.out_zero));
      y[i] = finish(v, 0, a.act_min, a.act_max);
    } else {
      const int32_t v = rule_double(acc, a.multiplier, a.shift);
      y[i] = finish(v, a.out_zero, a.act_min, a.act_max);
    }
  }
}

}  // namespace

extern const Kernel kMeanI8;
const Kernel kMeanI8{"mean_i8", sizeof(presil_mean_attributes), 1, check, run, elements_read};

}  // namespace presil::kernels
