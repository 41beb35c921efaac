// y = a - b: the rules of add.cpp with the second operand's sign turned.
#include "compiler_bridge/reference/elementwise.h"

namespace presil::reference::operators {

void sub(const Case& c) {
  add_scaled(c, -1);
}

}  // namespace presil::reference::operators
