// y = table[i] * 128 + (table[i + 1] - table[i]) * (x & 127), i = (x + 32768) >> 7 (TOSA 1.0, TABLE
// of int16).
#include "compiler_bridge/reference/integers.h"

namespace presil::reference::operators {

void table_between(const Case& c) {
  const std::vector<int64_t> x = integers(c, 0), table = integers(c, 1);
  for (size_t i = 0; i < x.size(); ++i) {
    const auto at = static_cast<size_t>((x[i] + 32768) >> 7);
    store(c, i, table[at] * 128 + (table[at + 1] - table[at]) * (x[i] & 127));
  }
}

}  // namespace presil::reference::operators
