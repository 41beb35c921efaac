// (a - b) squared, int8 and int16; the formula is in attributes.h.
#include "driver/kernels/host/elementwise.h"

namespace presil::kernels {
namespace {

template <class T>
void run(const Task& task) {
  const auto p = task.as<presil_elementwise_attributes>();
  each_pair<T>(task, [&p](int32_t a, int32_t b) {
    const int32_t fine_a =
        double_rounding(wrap_mul(a - p.a_zero, 1 << p.left_shift), p.a_mult, p.a_shift);
    const int32_t fine_b =
        double_rounding(wrap_mul(b - p.b_zero, 1 << p.left_shift), p.b_mult, p.b_shift);
    const int32_t difference = wrap_add(fine_a, wrap_mul(fine_b, -1));
    const int32_t y = double_rounding(wrap_mul(difference, difference), p.out_mult, p.out_shift);
    return static_cast<T>(clamp(static_cast<int64_t>(y) + p.out_zero, p.act_min, p.act_max));
  });
}

}  // namespace

// {a, b, y}, all i8 or all i16, numpy broadcasting: (a - b) squared, numerics tflite;
// presil_elementwise_attributes.
const Kernel kSquaredDifferenceI8{"squared_difference_i8",
                                  sizeof(presil_elementwise_attributes),
                                  1,
                                  check_elementwise,
                                  run<int8_t>,
                                  elements_written};
const Kernel kSquaredDifferenceI16{"squared_difference_i16",
                                   sizeof(presil_elementwise_attributes),
                                   1,
                                   check_elementwise_i16,
                                   run<int16_t>,
                                   elements_written};

}  // namespace presil::kernels
