// y is x, but y[n, indices[n, w]] is updates[n, w] (TOSA 1.0, SCATTER). An index outside x, which
// TOSA leaves open, writes nothing; of equal ones the last counts.
#include <cstring>

#include "compiler_bridge/reference/integers.h"

namespace presil::reference::operators {

void scatter(const Case& c) {
  const auto& x = c.in().shape;
  const int64_t rows = x[1], picked = c.in(1).shape[1];
  const auto row = static_cast<size_t>(x[2]) * ir::size_of(c.in().dtype);
  std::memcpy(c.write<uint8_t>(), c.read<uint8_t>(), c.in().bytes());
  const std::vector<int64_t> indices = integers(c, 1);
  for (int64_t i = 0; i < x[0] * picked; ++i) {
    const int64_t at = indices[static_cast<size_t>(i)];
    if (at < 0 || at >= rows) continue;
    std::memcpy(c.write<uint8_t>() + static_cast<size_t>(i / picked * rows + at) * row,
                c.read<uint8_t>(2) + static_cast<size_t>(i) * row, row);
  }
}

}  // namespace presil::reference::operators
