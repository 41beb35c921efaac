// Functions of two float32 values, broadcast as in numpy: one operation, then the clamp.
//   squared_difference  d = a - b, d * d
//   pow                 power_of (float_functions.h)
//   prelu               x from 0 on, else x * alpha
//   maximum, minimum    larger, smaller (float_order.h)
//   floor_div           floor of the quotient, which is rounded before
//   floor_mod           the exact rest of a / b with a's sign; plus b where it is not 0 and b has
//                       the other one
#include <cmath>

#include "compiler_bridge/reference/elementwise.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/float_functions.h"

namespace presil::reference {
namespace {

template <class F>
void clamped_pairs(const Case& c, const F& f) {
  const Bounds bounds = bounds_of(c.attributes<ir::Elementwise>().act);
  for_each_pair<float>(c, [&](float a, float b) { return clamped(f(a, b), bounds); });
}

}  // namespace

void add_float(const Case& c, int sign) {
  if (sign > 0) return clamped_pairs(c, [](float a, float b) { return a + b; });
  clamped_pairs(c, [](float a, float b) { return a - b; });
}

void mul_float(const Case& c) {
  clamped_pairs(c, [](float a, float b) { return a * b; });
}

void div_float(const Case& c) {
  clamped_pairs(c, [](float a, float b) { return a / b; });
}

void squared_difference_float(const Case& c) {
  for_each_pair<float>(c, [](float a, float b) {
    const float d = a - b;
    return settled(d * d);
  });
}

void operators::pow(const Case& c) {
  for_each_pair<float>(c, [](float a, float b) { return settled(power_of(a, b)); });
}

void maximum_float(const Case& c) {
  for_each_pair<float>(c, [](float a, float b) { return settled(larger(a, b)); });
}

void minimum_float(const Case& c) {
  for_each_pair<float>(c, [](float a, float b) { return settled(smaller(a, b)); });
}

void floor_div_float(const Case& c) {
  for_each_pair<float>(c, [](float a, float b) { return settled(std::floor(a / b)); });
}

void floor_mod_float(const Case& c) {
  for_each_pair<float>(c, [](float a, float b) {
    const float rest = std::fmod(a, b);
    return settled(rest != 0.0f && (b < 0.0f) != (rest < 0.0f) ? rest + b : rest);
  });
}

void prelu_float(const Case& c) {
  for_each_pair<float>(c, [](float x, float alpha) { return settled(x >= 0.0f ? x : x * alpha); });
}

}  // namespace presil::reference
