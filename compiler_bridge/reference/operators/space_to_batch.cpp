// Every block-th element of the axes 1..k is an image of its own. Image q of y, q counting over the
// offsets inside a block (last axis fastest), then over the images of x, has at p what x has at
// p * block + offset - before; outside x that is the zero point (0 where there is none).
#include <cstring>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {

void space_to_batch(const Case& c) {
  const auto& a = c.attributes<ir::BatchBlocks>();
  const size_t size = ir::size_of(c.out().dtype);
  const auto& shape = c.in().shape;
  const auto strides = strides_of(shape);
  const ir::Quantization& q = c.in().quantization;
  const int64_t zero = q.per_tensor() ? q.zero_point() : 0;  // little-endian: low bytes first
  uint8_t* to = c.write<uint8_t>();
  for_each_index(c.out().shape, [&](std::vector<int64_t> index) {
    int64_t offsets = index[0] / shape[0];
    index[0] %= shape[0];
    bool inside = true;
    for (size_t i = a.block.size(); i-- > 0; offsets /= a.block[i]) {
      int64_t& at = index[i + 1];
      at = at * a.block[i] + offsets % a.block[i] - a.before[i];
      inside = inside && at >= 0 && at < shape[i + 1];
    }
    const int64_t from = inside ? offset(index, strides) * static_cast<int64_t>(size) : 0;
    std::memcpy(to, inside ? static_cast<const void*>(c.read<uint8_t>() + from) : &zero, size);
    to += size;
  });
}

}  // namespace presil::reference::operators
