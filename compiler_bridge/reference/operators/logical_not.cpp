// Whether x does not hold.
#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {

void logical_not(const Case& c) {
  const auto* x = c.read<uint8_t>();
  auto* y = c.write<uint8_t>();
  for (int64_t i = 0; i < c.out().elements(); ++i) y[i] = x[i] == 0 ? 1 : 0;
}

}  // namespace presil::reference::operators
