// x and around it x in a mirror. Position p of an axis, counted from the first value of x, below 0
// shows -p, or -p - 1 where the edge is seen twice (symmetric); from n on 2 (n - 1) - p, or
// 2 n - 1 - p.
#include <cstring>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {

void mirror_pad(const Case& c) {
  const auto& a = c.attributes<ir::MirrorPad>();
  const size_t size = ir::size_of(c.out().dtype);
  const auto& shape = c.in().shape;
  const auto strides = strides_of(shape);
  const int64_t twice = a.symmetric ? 1 : 0;
  uint8_t* to = c.write<uint8_t>();
  for_each_index(c.out().shape, [&](std::vector<int64_t> index) {
    for (size_t i = 0; i < index.size(); ++i) {
      int64_t& p = index[i];
      p -= a.before[i];
      if (p < 0) p = -p - twice;
      if (p >= shape[i]) p = 2 * (shape[i] - 1) + twice - p;
    }
    std::memcpy(to, c.read<uint8_t>() + static_cast<size_t>(offset(index, strides)) * size, size);
    to += size;
  });
}

}  // namespace presil::reference::operators
