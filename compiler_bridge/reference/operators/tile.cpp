// x again and again along each axis: element i of y is element i % extent of x.
#include <cstring>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {

void tile(const Case& c) {
  const size_t size = ir::size_of(c.out().dtype);
  const auto& shape = c.in().shape;
  const auto strides = strides_of(shape);
  uint8_t* to = c.write<uint8_t>();
  for_each_index(c.out().shape, [&](std::vector<int64_t> index) {
    for (size_t i = 0; i < index.size(); ++i) index[i] %= shape[i];
    std::memcpy(to, c.read<uint8_t>() + static_cast<size_t>(offset(index, strides)) * size, size);
    to += size;
  });
}

}  // namespace presil::reference::operators
