// y = -x: the stored value with its sign turned; -128 stays (LiteRT's neg; TFLite Micro has none
// for int8, so it is the same under both rule sets).
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void neg(const Case& c) {
  if (c.floats()) return function_float(c);
  for_each_value(c, [](int32_t x) { return x == -128 ? -128 : -x; });
}

}  // namespace presil::reference::operators
