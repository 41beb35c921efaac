#include "compiler_bridge/import/tflite/variables.h"

#include <algorithm>

namespace presil::import {
namespace {

constexpr char kMakeState[] = "; make the state an input and an output of the network";

bool has(const flatbuffers::Vector<int32_t>* list, size_t count) {
  return list != nullptr && list->size() == count;
}

file::Builtin code_of(const file::Model& model, const file::Operator& op) {
  const auto& codes = *model.operator_codes();
  if (op.opcode_index() >= codes.size()) return file::Builtin_CUSTOM;
  const file::OperatorCode& code = *codes.Get(op.opcode_index());
  return std::max(static_cast<file::Builtin>(code.short_code()), code.code());
}

std::string name_of(const file::Operator& op) {
  const auto* o = op.options_as_VarHandle();
  if (o == nullptr) return "/";
  const std::string container = o->container() == nullptr ? "" : o->container()->str();
  return container + "/" + (o->shared_name() == nullptr ? "" : o->shared_name()->str());
}

/// A tensor of its own that holds what `from` does.
ir::TensorId copied(ir::Graph& graph, ir::TensorId from, ir::TensorId to) {
  graph.add(ir::Op{ir::OpKind::kReshape,
                   graph.tensor(to).name,
                   {from},
                   {to},
                   ir::info(ir::OpKind::kReshape).defaults,
                   {}});
  return to;
}

}  // namespace

bool is_of_variables(file::Builtin code) {
  return code == file::Builtin_VAR_HANDLE || code == file::Builtin_READ_VARIABLE ||
         code == file::Builtin_ASSIGN_VARIABLE || code == file::Builtin_CALL_ONCE;
}

Variables::Variable& Variables::of(const file::Operator& op, const std::string& called) {
  const bool named = op.inputs() != nullptr && op.inputs()->size() >= 1;
  const auto handle = named ? m_handles.find(op.inputs()->Get(0)) : m_handles.end();
  if (handle == m_handles.end()) m_refuse(called + ": its handle must come from a VAR_HANDLE");
  return m_variables[handle->second];
}

void Variables::convert(ir::Graph& graph, file::Builtin code, const file::Operator& op,
                        const std::string& called, const Take& take) {
  if (code == file::Builtin_CALL_ONCE) {
    const auto* o = op.options_as_CallOnce();
    begin(o == nullptr ? 0 : o->init_subgraph_index(), called);
    return;
  }
  if (code == file::Builtin_VAR_HANDLE) {
    if (!has(op.outputs(), 1)) m_refuse(called + ": it must have one result");
    m_handles[op.outputs()->Get(0)] = name_of(op);
    return;
  }
  Variable& variable = of(op, called);
  if (code == file::Builtin_ASSIGN_VARIABLE) {
    if (!has(op.inputs(), 2)) m_refuse(called + ": it must have a handle and a value");
    variable.current = take(op.inputs()->Get(1));
    return;
  }
  if (!has(op.outputs(), 1)) m_refuse(called + ": it must have one result");
  const ir::TensorId y = take(op.outputs()->Get(0));
  if (variable.current != ir::kAbsent) {
    copied(graph, variable.current, y);
    return;
  }
  variable.before = variable.current = y;
  graph.inputs.push_back(y);
}

void Variables::keep_signed(std::vector<bool>& is_unsigned) const {
  for (const auto& [name, variable] : m_variables) {
    if (variable.before != ir::kAbsent) is_unsigned[static_cast<size_t>(variable.before)] = false;
  }
}

void Variables::finish(ir::Graph& graph) const {
  for (const auto& [name, variable] : m_variables) {
    if (variable.before == ir::kAbsent) continue;  // a run does not ask for what the last one left
    const ir::Tensor before = graph.tensor(variable.before), &left = graph.tensor(variable.current);
    const std::string called = "variable \"" + name + "\"";
    if (before.dtype != left.dtype || before.shape != left.shape ||
        before.quantization != left.quantization) {
      m_refuse(called + " is read as " + ir::type_of(before) + " and assigned " +
               ir::type_of(left) + ", must be the same" + kMakeState);
    }
    ir::Tensor after = before;
    after.name += "/after";
    const ir::TensorId made = copied(graph, variable.current, graph.add(std::move(after)));
    graph.outputs.push_back(made);
    graph.states.push_back({variable.before, made});
  }
}

void Variables::begin(int32_t subgraph, const std::string& called) {
  const auto& all = *m_model.subgraphs();
  if (subgraph < 1 || static_cast<uint32_t>(subgraph) >= all.size()) {
    m_refuse(called + ": its subgraph is " + std::to_string(subgraph) + ", must be 1.." +
             std::to_string(all.size() - 1));
  }
  m_begun[subgraph] = true;
  const file::SubGraph& graph = *all.Get(static_cast<uint32_t>(subgraph));
  if (graph.operators() == nullptr) return;
  for (const file::Operator* op : *graph.operators()) {
    const file::Builtin code = code_of(m_model, *op);
    if (code == file::Builtin_VAR_HANDLE) continue;
    if (code != file::Builtin_ASSIGN_VARIABLE || !has(op->inputs(), 2)) {
      m_refuse(called + ": its subgraph has operator " + file::EnumNameBuiltin(code) +
               ", must set variables to constants alone" + kMakeState);
    }
    check_zero(graph, op->inputs()->Get(1), called);
  }
}

void Variables::check_zero(const file::SubGraph& graph, int32_t tensor,
                           const std::string& called) const {
  const auto refuse = [&](const std::string& what) {
    m_refuse(called + ": a variable begins with " + what + ", must begin with zeros" + kMakeState);
  };
  if (graph.tensors() == nullptr || tensor < 0 ||
      static_cast<uint32_t>(tensor) >= graph.tensors()->size()) {
    refuse("tensor " + std::to_string(tensor) + ", which the subgraph lacks");
  }
  const file::Tensor& from = *graph.tensors()->Get(static_cast<uint32_t>(tensor));
  const bool stored = from.buffer() < m_model.buffers()->size() &&
                      m_model.buffers()->Get(from.buffer())->data() != nullptr;
  if (!stored) refuse("a tensor that is computed");
  uint8_t zero = 0;
  const auto* q = from.quantization();
  const bool byte = from.type() == file::TensorType_Int8 || from.type() == file::TensorType_Uint8;
  if (byte && q != nullptr && q->zero_point() != nullptr && q->zero_point()->size() == 1) {
    zero = static_cast<uint8_t>(q->zero_point()->Get(0));
  }
  const auto& bytes = *m_model.buffers()->Get(from.buffer())->data();
  if (std::any_of(bytes.begin(), bytes.end(), [&](uint8_t byte) { return byte != zero; })) {
    refuse("other values");
  }
}

void Variables::check_subgraphs() const {
  for (uint32_t i = 1; i < m_model.subgraphs()->size(); ++i) {
    if (m_begun.count(static_cast<int32_t>(i)) != 0) continue;
    m_refuse("it holds " + std::to_string(m_model.subgraphs()->size()) +
             " subgraphs, must have one, and such as CALL_ONCE calls; control flow cannot be "
             "imported");
  }
}

}  // namespace presil::import
