// y = a where the condition is not 0, else b; shapes broadcast as in numpy.
#include <cstring>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {

void select(const Case& c) {
  const auto& shape = c.out().shape;
  const size_t size = ir::size_of(c.out().dtype);
  // Where an input has one value along an axis, or lacks it, that value is read for all.
  std::vector<int64_t> strides[3];
  for (size_t k = 0; k < 3; ++k) {
    const auto& own = c.in(k).shape;
    const auto dense = strides_of(own);
    strides[k].assign(shape.size(), 0);
    for (size_t i = 0; i < own.size(); ++i) {
      strides[k][shape.size() - own.size() + i] = own[i] == 1 ? 0 : dense[i];
    }
  }
  uint8_t* to = c.write<uint8_t>();
  for_each_index(shape, [&](const std::vector<int64_t>& index) {
    const size_t from = c.read<uint8_t>(0)[offset(index, strides[0])] != 0 ? 1 : 2;
    const auto at = static_cast<size_t>(offset(index, strides[from]));
    std::memcpy(to, c.read<uint8_t>(from) + at * size, size);
    to += size;
  });
}

}  // namespace presil::reference::operators
