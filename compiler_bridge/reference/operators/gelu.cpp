// y = x / 2 * erfc(-x / sqrt(2)); approximate: x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715
// x^3))). By the table of `rounded` (unary.h): LiteRT's gelu; TFLite Micro has none.
#include <cmath>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void gelu(const Case& c) {
  if (c.floats()) return function_float(c);
  if (c.attributes<ir::Gelu>().approximate) {
    return rounded(c, [](float x) {
      constexpr float kSqrtOf2OverPi = 0.797884560802865355880f;
      const float inner = kSqrtOf2OverPi * (x + 0.044715f * x * x * x);
      return 0.5f * x * (1.0f + static_cast<float>(std::tanh(static_cast<double>(inner))));
    });
  }
  rounded(c, [](float x) {
    const float inner = x * -0.70710678118654752440f;
    return 0.5f * x * static_cast<float>(std::erfc(static_cast<double>(inner)));
  });
}

}  // namespace presil::reference::operators
