// y = log(x), by the table of `rounded` (unary.h): LiteRT's log; TFLite Micro has none for int8.
// At 0 and below the least value of y.
#include <cmath>
#include <limits>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void log(const Case& c) {
  if (c.floats()) return function_float(c);
  rounded(c, [](float x) {
    return x > 0 ? static_cast<float>(std::log(static_cast<double>(x)))
                 : -std::numeric_limits<float>::infinity();
  });
}

}  // namespace presil::reference::operators
