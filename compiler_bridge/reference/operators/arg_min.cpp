// The index of the smallest stored value along an axis, the first of equal ones. The same under
// both rule sets (LiteRT's arg_min).
#include "compiler_bridge/reference/arg.h"

namespace presil::reference::operators {

void arg_min(const Case& c) {
  index_of_best(c, [](auto x, auto best) { return x < best; });
}

}  // namespace presil::reference::operators
