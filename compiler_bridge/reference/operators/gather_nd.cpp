// y[i..] = x[indices[i.., 0], indices[i.., 1] ..]: each row of indices names a value of x, or where
// it has fewer numbers than x axes, all after it. A computed index outside x is the nearest inside.
#include <algorithm>
#include <cstring>

#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {

void gather_nd(const Case& c) {
  const auto& x = c.in().shape;
  const auto named = static_cast<size_t>(c.in(1).shape.back());
  size_t row = ir::size_of(c.in().dtype);
  for (size_t i = named; i < x.size(); ++i) row *= static_cast<size_t>(x[i]);
  const int64_t rows = c.in(1).elements() / c.in(1).shape.back();
  uint8_t* to = c.write<uint8_t>();
  for (int64_t r = 0; r < rows; ++r, to += row) {
    int64_t from = 0;
    for (size_t i = 0; i < named; ++i) {
      const size_t at = static_cast<size_t>(r) * named + i;
      const int64_t index =
          c.in(1).dtype == ir::DType::kInt64 ? c.read<int64_t>(1)[at] : c.read<int32_t>(1)[at];
      from = from * x[i] + std::min(std::max<int64_t>(index, 0), x[i] - 1);
    }
    std::memcpy(to, c.read<uint8_t>() + static_cast<size_t>(from) * row, row);
  }
}

}  // namespace presil::reference::operators
