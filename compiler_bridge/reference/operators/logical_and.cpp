// Whether both hold.
#include "compiler_bridge/reference/elementwise.h"

namespace presil::reference::operators {

void logical_and(const Case& c) {
  for_each_pair<uint8_t>(c, [](uint8_t a, uint8_t b) { return static_cast<uint8_t>(a & b); });
}

}  // namespace presil::reference::operators
