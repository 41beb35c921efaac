// y[batch.., outer.., i.., inner..] = x[batch.., outer.., indices[batch.., i..], inner..]. An index
// that is computed and lies outside x, which the runtimes refuse when it comes, is the nearest
// inside.
#include <algorithm>
#include <cstring>

#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {
namespace {

int64_t product(const std::vector<int64_t>& shape, size_t from, size_t to) {
  int64_t count = 1;
  for (size_t i = from; i < to; ++i) count *= shape[i];
  return count;
}

}  // namespace

void gather(const Case& c) {
  const auto& a = c.attributes<ir::Gather>();
  const auto axis = static_cast<size_t>(a.axis), batch = static_cast<size_t>(a.batch_dims);
  const auto &x = c.in().shape, &i = c.in(1).shape;
  const int64_t batches = product(x, 0, batch), outer = product(x, batch, axis);
  const int64_t picked = product(i, batch, i.size());
  const auto row = static_cast<size_t>(product(x, axis + 1, x.size())) * ir::size_of(c.in().dtype);
  uint8_t* to = c.write<uint8_t>();
  for (int64_t b = 0; b < batches; ++b) {
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t k = 0; k < picked; ++k, to += row) {
        const int64_t at = b * picked + k;
        const int64_t index =
            c.in(1).dtype == ir::DType::kInt64 ? c.read<int64_t>(1)[at] : c.read<int32_t>(1)[at];
        const int64_t inside = std::min(std::max<int64_t>(index, 0), x[axis] - 1);
        const int64_t from = (b * outer + o) * x[axis] + inside;
        std::memcpy(to, c.read<uint8_t>() + static_cast<size_t>(from) * row, row);
      }
    }
  }
}

}  // namespace presil::reference::operators
