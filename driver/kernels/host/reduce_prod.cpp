// The product of x - in_zero over some axes, after each factor but the first brought down by rule
// wide, once more at the end; int8 and int16. One factor alone stays as it is stored.
#include "driver/kernels/host/reduce.h"
#include "driver/kernels/host/wide.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  const bool wide = task[0].dtype == PRESIL_INT16;
  c.dtype(0, wide ? PRESIL_INT16 : PRESIL_INT8);
  c.dtype(1, task[0].dtype);
  const auto a = task.as<presil_mean_attributes>();
  c.range("rule", a.rule, PRESIL_RULE_WIDE, PRESIL_RULE_WIDE);
  c.range("shift", a.shift, -31, 7);
  c.range("in_zero", a.in_zero, wide ? 0 : -128, wide ? 0 : 127);
  c.range("out_zero", a.out_zero, wide ? 0 : -128, wide ? 0 : 127);
  wide ? c.clamp16(a.act_min, a.act_max) : c.clamp(a.act_min, a.act_max);
  check_axes(task, c, a.axes);
}

template <class T>
void run_as(const Task& task, const presil_mean_attributes& a) {
  T* y = task.data<T>(1);
  const uint64_t results = presil_tensor_elements(&task[1]);
  if (presil_tensor_elements(&task[0]) == results) {
    std::memcpy(y, task.data<const T>(0), results * sizeof(T));
    return;
  }
  struct Product {
    bool first;
    int32_t value;
  };
  each_reduced<T>(
      task, a.axes, Product{true, 0},
      [&a](Product p, T stored) {
        const int32_t x = stored - a.in_zero;
        if (p.first) return Product{false, x};
        return Product{false, rule_wide(int64_t{p.value} * x, a.multiplier, a.shift)};
      },
      [&a, y](uint64_t i, Product p) {
        const int64_t v = int64_t{rule_wide(p.value, a.multiplier, a.shift)} + a.out_zero;
        y[i] = static_cast<T>(clamp(v, a.act_min, a.act_max));
      });
}

void run(const Task& task) {
  const auto a = task.as<presil_mean_attributes>();
  task[0].dtype == PRESIL_INT16 ? run_as<int16_t>(task, a) : run_as<int8_t>(task, a);
}

}  // namespace

// {x, y}, both int8 or both int16: products over the axes of the mask; presil_mean_attributes.
const Kernel kReduceProd{"reduce_prod", sizeof(presil_mean_attributes), 1, check, run,
                         elements_read};

}  // namespace presil::kernels
