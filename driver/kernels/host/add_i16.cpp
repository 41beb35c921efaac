// a + b or a - b of int16; the formula is in kernels.h.
#include "driver/kernels/host/elementwise.h"

namespace presil::kernels {
namespace {

void run(const Task& task) {
  const auto p = task.as<presil_elementwise_attributes>();
  const int32_t sign = p.subtract ? -1 : 1;
  each_pair<int16_t>(task, [&p, sign](int32_t a, int32_t b) {
    const int32_t fine_a = double_rounding(a * (1 << p.left_shift), p.a_mult, p.a_shift);
    const int32_t fine_b = double_rounding(b * (1 << p.left_shift), p.b_mult, p.b_shift);
    const int32_t sum = wrap_add(fine_a, wrap_mul(fine_b, sign));
    const int32_t y = double_rounding(sum, p.out_mult, p.out_shift);
    return static_cast<int16_t>(clamp(y, p.act_min, p.act_max));
  });
}

}  // namespace

// {a i16, b i16, y i16}: as their int8 kernels, numerics tflite.
const Kernel kAddI16{"add_i16", sizeof(presil_elementwise_attributes),
                     1,         check_elementwise_i16,
                     run,       elements_written};

}  // namespace presil::kernels
