// The same bytes under another shape.
#include <algorithm>

#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {

void reshape(const Case& c) {
  std::copy_n(c.read<uint8_t>(), c.out().bytes(), c.write<uint8_t>());
}

}  // namespace presil::reference::operators
