// a / b of int8; the formula is in attributes.h.
#include "driver/kernels/host/elementwise.h"
#include "driver/kernels/host/reciprocal.h"

namespace presil::kernels {
namespace {

/// Of a value that is not negative: how far its highest bit can move up.
int headroom_of(uint32_t magnitude) {
  return leading_zeros(magnitude) - 1;
}

int32_t divided(int32_t a, int32_t b, const presil_elementwise_attributes& p) {
  if (b == 0) return a > 0 ? INT32_MAX : a < 0 ? INT32_MIN : 0;
  const int32_t numerator = b < 0 ? -a : a;
  const auto denominator = static_cast<uint32_t>(b < 0 ? -b : b);
  const int places = leading_zeros(denominator);
  const int32_t above_one = static_cast<int32_t>((denominator << places) ^ 0x80000000u);
  const int32_t inverse = reciprocal_of_one_plus(above_one);
  const int room = headroom_of(static_cast<uint32_t>(numerator < 0 ? -1 - numerator : numerator));
  const int32_t quotient = doubling_high_multiply(wrap_mul(numerator, 1 << room), inverse);
  const int32_t y = doubling_high_multiply(quotient, p.out_mult);
  const int down = (31 - places) + room - p.out_shift;
  if (down <= 0) return saturate32(static_cast<int64_t>(y) << (-down > 31 ? 31 : -down));
  if (down <= 31) return rounding_divide_pot(y, down);
  return (y >> (down & 31)) + (y < 0 ? 0 : 1);
}

void run(const Task& task) {
  const auto p = task.as<presil_elementwise_attributes>();
  each_pair<int8_t>(task, [&p](int32_t a, int32_t b) {
    const int64_t y = divided(a - p.a_zero, b - p.b_zero, p);
    return static_cast<int8_t>(clamp(y + p.out_zero, p.act_min, p.act_max));
  });
}

}  // namespace

// {a, b, y}, all i8, numpy broadcasting: a / b; presil_elementwise_attributes.
const Kernel kDivI8{
    "div_i8", sizeof(presil_elementwise_attributes), 1, check_elementwise, run, elements_written};

}  // namespace presil::kernels
