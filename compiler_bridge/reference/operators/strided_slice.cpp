// Element i of an axis is x[begin + i * step].
#include <cstring>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {

void strided_slice(const Case& c) {
  const auto& a = c.attributes<ir::StridedSlice>();
  const size_t size = ir::size_of(c.out().dtype);
  const auto strides = strides_of(c.in().shape);
  uint8_t* to = c.write<uint8_t>();
  for_each_index(a.size, [&](std::vector<int64_t> index) {
    for (size_t i = 0; i < index.size(); ++i) index[i] = a.begin[i] + index[i] * a.step[i];
    std::memcpy(to, c.read<uint8_t>() + static_cast<size_t>(offset(index, strides)) * size, size);
    to += size;
  });
}

}  // namespace presil::reference::operators
