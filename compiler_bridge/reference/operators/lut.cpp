// y = table[x as uint8]; a byte of uint8 is stored as the table has it.
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void lut(const Case& c) {
  const int8_t* table = c.read<int8_t>(1);
  for_each_value(c, [&](int32_t x) { return int32_t{table[static_cast<uint8_t>(x)]}; });
}

}  // namespace presil::reference::operators
