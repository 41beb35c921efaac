// 1 / sqrt(x) of int16: d = double_rounding(1) with the inverse root of x and 20 bits more; y =
// double_rounding(d). The largest value for an x that has no root or is 0.
#include "driver/kernels/host/inverse_root.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(0, PRESIL_INT16);
  c.dtype(1, PRESIL_INT16);
  c.elements(1, presil_tensor_elements(&task[0]));
  const auto a = task.as<presil_scale_attributes>();
  c.range("shift", a.shift, -32, 30);
}

void run(const Task& task) {
  const auto a = task.as<presil_scale_attributes>();
  const int16_t* x = task.data<const int16_t>(0);
  int16_t* y = task.data<int16_t>(1);
  const uint64_t n = presil_tensor_elements(&task[1]);
  for (uint64_t i = 0; i < n; ++i) {
    int64_t v = INT16_MAX;
    if (x[i] > 0) {
      const Fraction root = inverse_root(static_cast<uint32_t>(x[i]));
      const int32_t d = double_rounding(1, root.multiplier, root.shift + 20);
      v = a.shift < -31 ? 0 : double_rounding(d, a.multiplier, a.shift);
    }
    y[i] = static_cast<int16_t>(clamp(v, INT16_MIN, INT16_MAX));
  }
}

}  // namespace

// {x i16, y i16}: 1 / sqrt(x), double rounding; presil_scale_attributes.
const Kernel kRsqrtI16{"rsqrt_i16",     sizeof(presil_scale_attributes), 1, check, run,
                       elements_written};

}  // namespace presil::kernels
