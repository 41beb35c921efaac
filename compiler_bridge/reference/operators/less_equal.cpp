// Whether a is b or less, by the rule of compare.h.
#include "compiler_bridge/reference/compare.h"

namespace presil::reference::operators {

void less_equal(const Case& c) {
  compare(c, [](auto a, auto b) { return a <= b; });
}

}  // namespace presil::reference::operators
