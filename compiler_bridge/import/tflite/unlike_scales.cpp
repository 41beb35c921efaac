#include "compiler_bridge/import/tflite/unlike_scales.h"

namespace presil::import {
namespace {

bool moves_bytes(ir::OpKind kind) {
  switch (kind) {
    case ir::OpKind::kReshape:
    case ir::OpKind::kTranspose:
    case ir::OpKind::kStridedSlice:
    case ir::OpKind::kTile:
    case ir::OpKind::kGather:
      return true;
    default:
      return false;
  }
}

ir::TensorId add_identity(ir::Graph& graph, const std::string& name) {
  ir::Tensor table;
  table.name = name;
  table.shape = {256};
  ir::Bytes bytes(256);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
  table.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return graph.add(std::move(table));
}

}  // namespace

std::vector<ir::Op> with_scale_of_x(ir::Graph& graph, ir::Op& op) {
  if (!moves_bytes(op.kind)) return {};
  const ir::TensorId y = op.output();
  const ir::Tensor& x = graph.tensor(op.input(0));
  ir::Tensor moved = graph.tensor(y);
  const bool bytes = x.dtype == ir::DType::kInt8 && moved.dtype == ir::DType::kInt8;
  if (!bytes || x.quantization == moved.quantization) return {};
  if (!x.quantization.per_tensor() || !moved.quantization.per_tensor()) return {};
  moved.quantization = x.quantization;
  moved.name += "/moved";
  const std::string name = graph.tensor(y).name + "/table";
  op.outputs = {graph.add(std::move(moved))};
  const ir::TensorId table = add_identity(graph, name);
  return {{ir::OpKind::kLut, op.name, {op.output(), table}, {y}, ir::None{}, op.source_ops}};
}

}  // namespace presil::import
