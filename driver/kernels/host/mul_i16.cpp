// a * b of int16; the formula is in kernels.h.
#include "driver/kernels/host/elementwise.h"

namespace presil::kernels {
namespace {

void run(const Task& task) {
  const auto p = task.as<presil_elementwise_attributes>();
  each_pair<int16_t>(task, [&p](int32_t a, int32_t b) {
    const int32_t y = double_rounding(a * b, p.out_mult, p.out_shift);  // at most 2^30
    return static_cast<int16_t>(clamp(y, p.act_min, p.act_max));
  });
}

}  // namespace

// {a i16, b i16, y i16}: as their int8 kernels, numerics tflite.
const Kernel kMulI16{"mul_i16", sizeof(presil_elementwise_attributes),
                     1,         check_elementwise_i16,
                     run,       elements_written};

}  // namespace presil::kernels
