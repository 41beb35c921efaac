// y = min(max(x, 0), 1), requantised: `clamped` (unary.h). LiteRT's relu_0_to_1; TFLite Micro has
// none.
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void relu_0_to_1(const Case& c) {
  if (c.floats()) return function_float(c);
  clamped(c, 0.0f, 1.0f);
}

}  // namespace presil::reference::operators
