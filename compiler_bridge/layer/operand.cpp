#include "compiler_bridge/layer/operand.h"

#include <algorithm>

namespace presil::layer {
namespace {

std::vector<TensorId> tensors_of(const Operands& operands, bool write) {
  std::vector<TensorId> all;
  for (const Operand& operand : operands) {
    const bool seen = std::find(all.begin(), all.end(), operand.tensor) != all.end();
    if (operand.write == write && !seen) all.push_back(operand.tensor);
  }
  return all;
}

}  // namespace

Extent extent_of(const ir::Tensor& tensor) {
  Extent extent;
  const auto& shape = tensor.shape;
  const size_t rank = shape.size();
  if (rank >= 1) extent.c = static_cast<int>(shape[rank - 1]);
  if (rank >= 2) extent.w = static_cast<int>(shape[rank - 2]);
  int64_t rows = 1;
  for (size_t axis = 0; axis + 2 < rank; ++axis) rows *= shape[axis];
  extent.h = static_cast<int>(rows);
  return extent;
}

std::vector<TensorId> read(const Operands& operands) {
  return tensors_of(operands, false);
}

std::vector<TensorId> written(const Operands& operands) {
  return tensors_of(operands, true);
}

}  // namespace presil::layer
