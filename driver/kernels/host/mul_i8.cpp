// a * b: rule((a - a_zero) * (b - b_zero)) + out_zero; double rounding under tflite, float under
// xnnpack.
#include "driver/kernels/host/elementwise.h"

namespace presil::kernels {
namespace {

void run(const Task& task) {
  const auto p = task.as<presil_elementwise_attributes>();
  const uint32_t rule =
      p.numerics == PRESIL_NUMERICS_XNNPACK ? PRESIL_RULE_FLOAT : PRESIL_RULE_DOUBLE;
  each_pair(task, [&p, rule](int32_t a, int32_t b) {
    const int32_t product = (a - p.a_zero) * (b - p.b_zero);
    return finish(apply_rule(rule, product, p.out_mult, p.out_shift), p.out_zero, p.act_min,
                  p.act_max);
  });
}

}  // namespace

// {a i8, b i8, y i8}: a * b, numpy broadcasting; presil_elementwise_attributes.
const Kernel kMulI8{
    "mul_i8", sizeof(presil_elementwise_attributes), 1, check_elementwise, run, elements_written};

}  // namespace presil::kernels
