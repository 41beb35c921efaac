#include "compiler_bridge/partition/operand.h"

#include "compiler_bridge/rules/image.h"

namespace presil::partition {
namespace {

// An axis of extent 1 is read again for every index.
ir::Bytes repeated(const ir::Bytes& bytes, const rules::Image& from, const rules::Image& to) {
  const auto step = [](int64_t extent, int64_t stride) { return extent == 1 ? 0 : stride; };
  const int64_t row = step(from.h, from.w * from.c), column = step(from.w, from.c);
  const int64_t channel = step(from.c, 1);
  ir::Bytes all;
  for (int64_t y = 0; y < to.h; ++y) {
    for (int64_t x = 0; x < to.w; ++x) {
      for (int64_t c = 0; c < to.c; ++c) {
        all.push_back(bytes[static_cast<size_t>(y * row + x * column + c * channel)]);
      }
    }
  }
  return all;
}

}  // namespace

ir::TensorId read_operand(ir::Graph& graph, const ir::Op& op, size_t index) {
  const ir::TensorId id = op.input(index);
  const ir::Tensor& tensor = graph.tensor(id);
  if (!tensor.is_constant()) return id;
  const rules::Image from = *rules::image_of(tensor),
                     y = *rules::image_of(graph.tensor(op.output()));
  const rules::Image pixel{1, 1, y.c};
  if (from == y || from == pixel) return id;
  const rules::Image to = from.h == 1 && from.w == 1 ? pixel : y;
  ir::Tensor whole = tensor;
  whole.name += "/repeated";
  whole.shape = {1, to.h, to.w, to.c};
  whole.data = std::make_shared<const ir::Bytes>(repeated(*tensor.data, from, to));
  return graph.add(std::move(whole));
}

}  // namespace presil::partition
