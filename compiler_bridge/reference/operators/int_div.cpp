// a / b without its fraction (TOSA 1.0, INTDIV). By 0, which TOSA leaves open, 0; the lowest number
// by -1 keeps its low bits.
#include "compiler_bridge/reference/integers.h"

namespace presil::reference::operators {

void int_div(const Case& c) {
  for_each_integer_pair(c, [](int64_t a, int64_t b) { return b == 0 ? 0 : a / b; });
}

}  // namespace presil::reference::operators
