// y[.., d, ..] = on where d is the index, else off.
#include <cstring>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {

void one_hot(const Case& c) {
  const auto axis = c.attributes<ir::OneHot>().axis;
  const size_t size = ir::size_of(c.out().dtype);
  const auto strides = strides_of(c.in().shape);
  uint8_t* to = c.write<uint8_t>();
  for_each_index(c.out().shape, [&](std::vector<int64_t> index) {
    const int64_t here = index[static_cast<size_t>(axis)];
    index.erase(index.begin() + axis);
    const int64_t at = offset(index, strides);
    const int64_t hot =
        c.in().dtype == ir::DType::kInt64 ? c.read<int64_t>()[at] : c.read<int32_t>()[at];
    std::memcpy(to, c.read<uint8_t>(hot == here ? 1 : 2), size);
    to += size;
  });
}

}  // namespace presil::reference::operators
