#include "compiler_bridge/partition/name.h"

#include <algorithm>
#include <vector>

namespace presil::partition {
namespace {

// Exporters join the names of what they fused with ';'; scopes are separated by '/'. The component
// before the last is the layer, the last is the primitive that it was made of.
std::string layer_component(const std::string& name, bool last_part) {
  const size_t cut = last_part ? name.rfind(';') : name.find(';');
  std::string part = name;
  if (cut != std::string::npos) part = last_part ? name.substr(cut + 1) : name.substr(0, cut);
  std::vector<std::string> components;
  size_t begin = 0;
  while (begin <= part.size()) {
    size_t end = part.find('/', begin);
    if (end == std::string::npos) end = part.size();
    if (end > begin) components.push_back(part.substr(begin, end - begin));
    begin = end + 1;
  }
  if (components.empty()) return "";
  return components.size() == 1 ? components[0] : components[components.size() - 2];
}

bool says_nothing(const std::string& name) {
  for (const char* filler : {"StatefulPartitionedCall", "PartitionedCall", "Identity"}) {
    if (name.rfind(filler, 0) == 0) return true;
  }
  return name.empty();
}

bool has_weights(const ir::Graph& graph, const ir::Op& op) {
  const bool weighted = op.kind == ir::OpKind::kConv2d || op.kind == ir::OpKind::kDepthwiseConv2d ||
                        op.kind == ir::OpKind::kTransposeConv2d ||
                        op.kind == ir::OpKind::kFullyConnected;
  return weighted && graph.tensor(op.input(1)).is_constant();
}

}  // namespace

std::string short_name(const ir::Graph& graph, const ir::Op& op) {
  std::string name;
  const bool weighted = has_weights(graph, op);
  if (weighted) name = layer_component(graph.tensor(op.input(1)).name, false);
  if (says_nothing(name)) name = layer_component(op.name, !weighted);
  return says_nothing(name) ? ir::to_string(op.kind) : name;
}

std::vector<std::string> short_names(const ir::Graph& graph) {
  std::vector<std::string> shown(graph.tensors.size());
  Names names;
  const auto name = [&](ir::TensorId id, const std::string& text) {
    if (id == ir::kAbsent || !shown[static_cast<size_t>(id)].empty()) return;
    shown[static_cast<size_t>(id)] = names.unique(text);
  };
  for (const ir::TensorId id : graph.inputs) {
    const std::string own = graph.tensor(id).name;
    name(id, own.substr(own.find_last_of(";/") + 1));
  }
  for (const ir::Op& op : graph.ops) {
    const ir::OpInfo& kind = ir::info(op.kind);
    name(op.output(), short_name(graph, op));
    const std::string& maker = shown[static_cast<size_t>(op.output())];
    for (size_t i = 1; i < op.outputs.size(); ++i) {
      name(op.outputs[i], maker + "." + kind.output_name(i));
    }
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      const ir::TensorId id = op.inputs[i];
      if (id == ir::kAbsent || !graph.tensor(id).is_constant()) continue;
      name(id, maker + "." + kind.inputs[std::min(i, kind.inputs.size() - 1)]);
    }
  }
  for (size_t i = 0; i < shown.size(); ++i) {
    if (shown[i].empty()) shown[i] = graph.tensors[i].name;
  }
  return shown;
}

std::string Names::unique(const std::string& name) {
  if (m_taken.insert(name).second) return name;
  int& n = m_last.try_emplace(name, 1).first->second;
  for (;;) {
    std::string candidate = name + "_" + std::to_string(++n);
    if (m_taken.insert(candidate).second) return candidate;
  }
}

}  // namespace presil::partition
