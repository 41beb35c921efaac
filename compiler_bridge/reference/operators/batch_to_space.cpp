// The way back from space_to_batch: element s of an axis, counted with the `before` that is cut
// off, is element s / block of the image whose offset inside a block is s % block.
#include <cstring>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {

void batch_to_space(const Case& c) {
  const auto& a = c.attributes<ir::BatchBlocks>();
  const size_t size = ir::size_of(c.out().dtype);
  const int64_t images = c.out().shape[0];
  const auto strides = strides_of(c.in().shape);
  uint8_t* to = c.write<uint8_t>();
  for_each_index(c.out().shape, [&](std::vector<int64_t> index) {
    int64_t offsets = 0;
    for (size_t i = 0; i < a.block.size(); ++i) {
      const int64_t at = index[i + 1] + a.before[i];
      offsets = offsets * a.block[i] + at % a.block[i];
      index[i + 1] = at / a.block[i];
    }
    index[0] += offsets * images;
    const auto from = static_cast<size_t>(offset(index, strides)) * size;
    std::memcpy(to, c.read<uint8_t>() + from, size);
    to += size;
  });
}

}  // namespace presil::reference::operators
