// (a * b + 2^(shift - 1)) >> shift, the product exact, low 32 bits (TOSA 1.0, MUL with a shift).
#include "compiler_bridge/reference/integers.h"

namespace presil::reference::operators {

void mul_shift(const Case& c) {
  const int shift = c.attributes<ir::MulShift>().shift;
  for_each_integer_pair(
      c, [shift](int64_t a, int64_t b) { return (a * b + (int64_t{1} << (shift - 1))) >> shift; });
}

}  // namespace presil::reference::operators
