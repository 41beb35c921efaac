// y = x / 2 * erfc(-x / sqrt(2)); approximate: x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715
// x^3))). LiteRT's gelu under both rule sets; TFLite Micro has none. int8: by the table of
// `rounded` (unary.h); int16: between 513 points (interpolated.h), the first at -32768 s_x, the
// last at 32767 s_x.
#include <cmath>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/interpolated.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {
namespace {

float by_tanh(float x) {
  constexpr float kSqrtOf2OverPi = 0.797884560802865355880f;
  const float inner = kSqrtOf2OverPi * (x + 0.044715f * x * x * x);
  return 0.5f * x * (1.0f + static_cast<float>(std::tanh(static_cast<double>(inner))));
}

float by_erfc(float x) {
  const float inner = x * -0.70710678118654752440f;
  return 0.5f * x * static_cast<float>(std::erfc(static_cast<double>(inner)));
}

}  // namespace

void gelu(const Case& c) {
  if (c.floats()) return function_float(c);
  const auto f = c.attributes<ir::Gelu>().approximate ? by_tanh : by_erfc;
  if (c.out().dtype != ir::DType::kInt16) return rounded(c, f);
  const float s_x = c.in().quantization.scale();
  const Interpolated table(s_x * -32768.0f, s_x * 32767.0f, f, c.out().quantization.scale());
  for_each_value<int16_t>(c, table);
}

}  // namespace presil::reference::operators
