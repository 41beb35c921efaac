// y = x, but of element b along batch_axis the first n = lengths[b] values along axis, of which
// position p shows n - 1 - p. A length outside 0..x[axis], which the runtimes refuse when it comes,
// is the nearest inside.
#include <algorithm>
#include <cstring>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {

void reverse_sequence(const Case& c) {
  const auto& a = c.attributes<ir::ReverseSequence>();
  const auto axis = static_cast<size_t>(a.axis), batch = static_cast<size_t>(a.batch_axis);
  const size_t size = ir::size_of(c.out().dtype);
  const auto& shape = c.in().shape;
  const auto strides = strides_of(shape);
  const auto length_of = [&](int64_t b) {
    const int64_t n =
        c.in(1).dtype == ir::DType::kInt64 ? c.read<int64_t>(1)[b] : c.read<int32_t>(1)[b];
    return std::min(std::max<int64_t>(n, 0), shape[axis]);
  };
  uint8_t* to = c.write<uint8_t>();
  for_each_index(shape, [&](std::vector<int64_t> index) {
    const int64_t n = length_of(index[batch]);
    if (index[axis] < n) index[axis] = n - 1 - index[axis];
    std::memcpy(to, c.read<uint8_t>() + static_cast<size_t>(offset(index, strides)) * size, size);
    to += size;
  });
}

}  // namespace presil::reference::operators
