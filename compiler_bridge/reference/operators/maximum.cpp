// The larger of two stored values; a, b and y mean the same. The same under both rule sets
// (LiteRT's and TFLite Micro's maximum).
#include "compiler_bridge/reference/elementwise.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/reduce.h"

namespace presil::reference::operators {

void maximum(const Case& c) {
  if (c.floats()) return maximum_float(c);
  for_type_of_x(c, [&](auto type) {
    using T = decltype(type);
    for_each_pair<T>(c, [](T a, T b) { return a > b ? a : b; });
  });
}

}  // namespace presil::reference::operators
