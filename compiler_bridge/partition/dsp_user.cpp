#include "compiler_bridge/partition/dsp_user.h"

#include <algorithm>

#include "compiler_bridge/partition/dsp_lowering.h"

namespace presil::partition {

int64_t rows_along(const ir::Tensor& tensor, int axis) {
  const auto at = static_cast<size_t>(axis);
  if (axis < 0 || at >= tensor.shape.size()) return 0;
  const auto first = tensor.shape.begin(), rows = first + axis;
  return std::all_of(first, rows, [](int64_t extent) { return extent == 1; }) ? *rows : 0;
}

namespace {

layer::DspOperand operand_of(const ir::Graph& graph, ir::TensorId id, int axis) {
  const ir::Tensor& tensor = graph.tensor(id);
  if (axis < 0 || tensor.is_constant()) return whole(graph, id);
  return in_rows(graph, id, {tensor.shape.begin() + axis + 1, tensor.shape.end()});
}

}  // namespace

layer::DspLayer user_layer(const ir::Graph& graph, const ir::Op& op, const UserKernel& kernel) {
  layer::DspLayer layer;
  layer.kernel = kernel.kernel;
  layer.image = kernel.image;
  for (const ir::TensorId id : op.inputs)
    layer.inputs.push_back(operand_of(graph, id, kernel.rows));
  for (const ir::TensorId id : op.outputs)
    layer.outputs.push_back(operand_of(graph, id, kernel.rows));
  layer.params = kernel.params;
  layer.scratch_bytes = kernel.scratch_bytes;
  if (kernel.rows >= 0) layer.rows = rows_along(graph.tensor(op.output()), kernel.rows);
  layer.cost = {"stated", {static_cast<int64_t>(kernel.cycles), layer.rows}};
  return layer;
}

}  // namespace presil::partition
