// y axis i is x axis perm[i].
#include <cstring>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {

void transpose(const Case& c) {
  const auto& perm = c.attributes<ir::Transpose>().perm;
  const size_t size = ir::size_of(c.out().dtype);
  const auto dense = strides_of(c.in().shape);
  std::vector<int64_t> strides;
  for (int64_t axis : perm) strides.push_back(dense[static_cast<size_t>(axis)]);
  uint8_t* to = c.write<uint8_t>();
  for_each_index(c.out().shape, [&](const std::vector<int64_t>& index) {
    std::memcpy(to, c.read<uint8_t>() + static_cast<size_t>(offset(index, strides)) * size, size);
    to += size;
  });
}

}  // namespace presil::reference::operators
