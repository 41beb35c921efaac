// a + b or a - b under both numerics; the formulas are in kernels.h.
#include "driver/kernels/host/elementwise.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  check_elementwise(task, c);
  if (!c.ok()) return;
  const auto a = task.as<presil_elementwise_attributes>();
  if (a.numerics == PRESIL_NUMERICS_XNNPACK) c.at_least("out_shift", a.out_shift, 0);
}

void run_tflite(const Task& task, const presil_elementwise_attributes& p) {
  each_pair(task, [&p](int32_t a, int32_t b) {
    const int32_t sa = double_rounding((a - p.a_zero) * (1 << p.left_shift), p.a_mult, p.a_shift);
    const int32_t sb = double_rounding((b - p.b_zero) * (1 << p.left_shift), p.b_mult, p.b_shift);
    const int32_t sum = wrap_add(sa, p.subtract ? wrap_mul(sb, -1) : sb);
    return finish(double_rounding(sum, p.out_mult, p.out_shift), p.out_zero, p.act_min, p.act_max);
  });
}

void run_xnnpack(const Task& task, const presil_elementwise_attributes& p) {
  const int32_t b_mult = p.subtract ? wrap_mul(p.b_mult, -1) : p.b_mult;
  each_pair(task, [&p, b_mult](int32_t a, int32_t b) {
    const int32_t acc = wrap_add(wrap_add(wrap_mul(a, p.a_mult), wrap_mul(b, b_mult)), p.out_mult);
    return finish(acc >> p.out_shift, p.out_zero, p.act_min, p.act_max);
  });
}

void run(const Task& task) {
  const auto p = task.as<presil_elementwise_attributes>();
  if (p.numerics == PRESIL_NUMERICS_XNNPACK) {
    run_xnnpack(task, p);
  } else {
    run_tflite(task, p);
  }
}

}  // namespace

// {a i8, b i8, y i8}: a + b or a - b, numpy broadcasting; presil_elementwise_attributes.
const Kernel kAddI8{"add_i8",        sizeof(presil_elementwise_attributes), 1, check, run,
                    elements_written};

}  // namespace presil::kernels
