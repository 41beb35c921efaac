// Whether a is b or more, by the rule of compare.h.
#include "compiler_bridge/reference/compare.h"

namespace presil::reference::operators {

void greater_equal(const Case& c) {
  compare(c, [](auto a, auto b) { return a >= b; });
}

}  // namespace presil::reference::operators
