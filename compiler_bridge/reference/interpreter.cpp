// Runs the operators of a graph in their order.
#include "compiler_bridge/ir/shape.h"
#include "compiler_bridge/reference/case.h"
#include "models/base/refusal.h"

namespace presil::reference {
namespace {

void run_op(const Case& c) {
  switch (c.op.kind) {
#define X(Name, spelling, Attributes, inputs, outputs, shape, types) \
  case ir::OpKind::k##Name:                                          \
    return operators::spelling(c);
    PRESIL_OP_KINDS(X)
#undef X
  }
}

std::string type_of(const TensorValue& value) {
  return std::string(ir::to_string(value.dtype)) + ir::to_string(value.shape);
}

void check_input(const ir::Graph& graph, size_t i, const TensorValue& value) {
  const ir::Tensor& expected = graph.tensor(graph.inputs[i]);
  if (value.dtype == expected.dtype && value.shape == expected.shape &&
      value.data.size() == expected.bytes()) {
    return;
  }
  throw Refusal("reference", "input " + std::to_string(i) + " \"" + expected.name + "\" is " +
                                 type_of(value) + " with " + std::to_string(value.data.size()) +
                                 " bytes, expected " + ir::to_string(expected.dtype) +
                                 ir::to_string(expected.shape) + " with " +
                                 std::to_string(expected.bytes()) + " bytes");
}

}  // namespace

std::vector<TensorValue> run_all(const ir::Graph& graph, const std::vector<TensorValue>& inputs,
                                 const CustomOperator& custom) {
  ir::verify(graph);
  if (inputs.size() != graph.inputs.size()) {
    throw Refusal("reference", "got " + std::to_string(inputs.size()) + " inputs, " + graph.name +
                                   " requires " + std::to_string(graph.inputs.size()));
  }
  std::vector<TensorValue> values(graph.tensors.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const ir::Tensor& tensor = graph.tensors[i];
    values[i] = {tensor.dtype, tensor.shape, tensor.is_constant() ? *tensor.data : ir::Bytes()};
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    check_input(graph, i, inputs[i]);
    values[static_cast<size_t>(graph.inputs[i])] = inputs[i];
  }
  for (const ir::Op& op : graph.ops) {
    for (ir::TensorId id : op.outputs) {
      values[static_cast<size_t>(id)].data.assign(graph.tensor(id).bytes(), 0);
    }
    run_op(Case{graph, op, values, custom});
  }
  return values;
}

std::vector<TensorValue> run(const ir::Graph& graph, const std::vector<TensorValue>& inputs,
                             const CustomOperator& custom) {
  std::vector<TensorValue> values = run_all(graph, inputs, custom);
  std::vector<TensorValue> outputs;
  for (ir::TensorId id : graph.outputs) outputs.push_back(values[static_cast<size_t>(id)]);
  return outputs;
}

}  // namespace presil::reference
