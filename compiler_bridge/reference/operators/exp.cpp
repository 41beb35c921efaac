// y = exp(x), by the table of `rounded` (unary.h): LiteRT's exp; TFLite Micro has none for int8.
#include <cmath>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void exp(const Case& c) {
  if (c.floats()) return function_float(c);
  rounded(c, [](float x) { return static_cast<float>(std::exp(static_cast<double>(x))); });
}

}  // namespace presil::reference::operators
