#include "compiler_bridge/partition/dsp_layer.h"

#include <map>

#include "compiler_bridge/partition/dsp_lowering.h"
#include "models/base/refusal.h"

namespace presil::partition {
namespace {

using Lower = layer::DspLayer (*)(ir::Graph&, const ir::Op&);

const std::map<ir::OpKind, Lower>& lowerings() {
  static const std::map<ir::OpKind, Lower> all = [] {
    std::map<ir::OpKind, Lower> by_kind;
    for (const auto& family :
         {dsp_detection_lowerings(), dsp_element_lowerings(), dsp_function_lowerings(),
          dsp_move_lowerings(), dsp_recurrent_lowerings(), dsp_reduce_lowerings(),
          dsp_window_lowerings()}) {
      for (const DspLowering& lowering : family) by_kind.emplace(lowering.kind, lowering.lower);
    }
    return by_kind;
  }();
  return all;
}

layer::DspOperand operand(const ir::Graph& graph, ir::TensorId id, layer::DspOperand::Cut cut,
                          std::vector<int64_t> shape) {
  const ir::Tensor& tensor = graph.tensor(id);
  return {id, cut, tensor.dtype, std::move(shape), tensor.is_constant()};
}

}  // namespace

Rows rows_of(const ir::Tensor& tensor) {
  const int64_t length = tensor.shape.empty() ? 1 : tensor.shape.back();
  return {length == 0 ? 0 : tensor.elements() / length, length};
}

layer::DspOperand in_rows(const ir::Graph& graph, ir::TensorId tensor, std::vector<int64_t> shape) {
  return operand(graph, tensor, layer::DspOperand::Cut::kRows, std::move(shape));
}

layer::DspOperand whole(const ir::Graph& graph, ir::TensorId tensor) {
  return whole_as(graph, tensor, graph.tensor(tensor).shape);
}

layer::DspOperand whole_as(const ir::Graph& graph, ir::TensorId tensor,
                           std::vector<int64_t> shape) {
  return operand(graph, tensor, layer::DspOperand::Cut::kWhole, std::move(shape));
}

void takes_blocks(const ir::Graph& graph, layer::DspLayer& layer, layer::DspOperand::Blocks blocks,
                  size_t inputs) {
  constexpr size_t kAxesOfImage = 3;
  std::vector<layer::DspOperand*> operands;
  for (size_t i = 0; i < inputs; ++i) operands.push_back(&layer.inputs.at(i));
  for (layer::DspOperand& output : layer.outputs) operands.push_back(&output);
  for (const layer::DspOperand* operand : operands) {
    const ir::Tensor& tensor = graph.tensor(operand->tensor);
    if (tensor.dtype != ir::DType::kInt8 || tensor.elements() == 0) return;
    if (blocks != layer::DspOperand::Blocks::kLanes) continue;
    const auto& shape = tensor.shape;
    for (size_t axis = 0; axis + kAxesOfImage < shape.size(); ++axis) {
      if (shape[axis] != 1) return;
    }
  }
  for (layer::DspOperand* operand : operands) operand->blocks = blocks;
}

layer::DspLayer dsp_layer(ir::Graph& graph, const ir::Op& op) {
  const auto found = lowerings().find(op.kind);
  if (found == lowerings().end()) {
    throw Refusal("partition", std::string(ir::to_string(op.kind)) + " \"" + op.name +
                                   "\" has no kernel on the dsp; a rule says otherwise");
  }
  return found->second(graph, op);
}

}  // namespace presil::partition
