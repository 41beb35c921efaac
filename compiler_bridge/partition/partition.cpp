#include "compiler_bridge/partition/partition.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler_bridge/layer/in_place_layer.h"
#include "compiler_bridge/partition/grouping.h"
#include "compiler_bridge/partition/name.h"
#include "compiler_bridge/partition/origin.h"

namespace presil::partition {
namespace {

using placement::Why;
using rules::Engine;

// Groups so that what a group reads is made before; else in the order of their first ops.
std::vector<int> data_order(const ir::Graph& graph, const std::vector<Group>& groups) {
  std::vector<int> maker(graph.tensors.size(), -1);
  for (size_t g = 0; g < groups.size(); ++g) {
    for (const ir::TensorId id : layer::written(groups[g].work.operands()))
      maker[static_cast<size_t>(id)] = static_cast<int>(g);
  }
  std::vector<std::set<int>> readers(groups.size());
  std::vector<int> missing(groups.size(), 0);
  for (size_t g = 0; g < groups.size(); ++g) {
    for (const ir::TensorId id : layer::read(groups[g].work.operands())) {
      const int from = maker[static_cast<size_t>(id)];
      if (from >= 0 && readers[static_cast<size_t>(from)].insert(static_cast<int>(g)).second) {
        ++missing[g];
      }
    }
  }
  const auto first_op = [&](int g) {
    const std::vector<int>& ops = groups[static_cast<size_t>(g)].ops;
    return std::make_pair(*std::min_element(ops.begin(), ops.end()), g);
  };
  std::set<std::pair<std::pair<int, int>, int>> ready;
  for (size_t g = 0; g < groups.size(); ++g) {
    if (missing[g] == 0) ready.insert({first_op(static_cast<int>(g)), static_cast<int>(g)});
  }
  std::vector<int> order;
  while (!ready.empty()) {
    const int g = ready.begin()->second;
    ready.erase(ready.begin());
    order.push_back(g);
    for (const int reader : readers[static_cast<size_t>(g)]) {
      if (--missing[static_cast<size_t>(reader)] == 0) ready.insert({first_op(reader), reader});
    }
  }
  return order;
}

struct Words {
  Words(const ir::Graph& graph_, const ir::Graph& imported)
      : graph(graph_), origins(imported), names(imported) {
    for (size_t i = 0; i < graph.ops.size(); ++i) {
      for (const int source : graph.ops[i].source_ops)
        successors.emplace(source, static_cast<int>(i));
    }
  }
  const ir::Graph& graph;
  Origins origins;
  OpNames names;
  std::multimap<int, int> successors;  ///< ops of the graph that do the file's, in order

  /// A table goes by the names of the functions that it holds: "logistic+mul".
  std::string kind(const ir::Op& op) const {
    if (op.kind == ir::OpKind::kCustom) return op.as<ir::Custom>().code;
    if (op.kind != ir::OpKind::kLut) return ir::to_string(op.kind);
    std::string text;
    for (const int source : op.source_ops) {
      const ir::Op* found = origins.by_source(source);
      if (found == nullptr) continue;
      const ir::OpKind kind = found->kind;  // a concatenation's table requantises
      text += (text.empty() ? "" : "+");
      text += ir::to_string(kind == ir::OpKind::kConcat ? ir::OpKind::kQuantize : kind);
    }
    if (!text.empty()) return text;
    const ir::Op* source = origins.maker(op.output());
    return ir::to_string(source == nullptr ? ir::OpKind::kQuantize : source->kind);
  }
};

// "conv2d+leaky_relu+add"; reshapes and concatenations that joined do nothing worth a word.
std::string op_text(const Words& words, const Group& group) {
  const ir::Op& first = words.graph.ops[static_cast<size_t>(group.ops[0])];
  std::string text = group.does.empty() ? words.kind(first) : group.does;
  for (size_t i = 1; i < group.ops.size(); ++i) {
    const ir::Op& op = words.graph.ops[static_cast<size_t>(group.ops[i])];
    if (op.kind != ir::OpKind::kReshape) text += "+" + words.kind(op);
  }
  return text;
}

bool has_computed_weights(const layer::Layer& layer) {
  const layer::Operands operands = layer.work.operands();
  return std::any_of(operands.begin(), operands.end(), [](const layer::Operand& operand) {
    return operand.form == layer::Operand::Form::kEither;
  });
}

Why why_in_place(layer::Relation relation) {
  switch (relation) {
    case layer::Relation::kView:
      return Why::kView;
    case layer::Relation::kSlice:
      return Why::kSlice;
    case layer::Relation::kFlip:
      return Why::kSignBit;
    case layer::Relation::kConcat:
      return Why::kConcat;
    case layer::Relation::kStack:
      return Why::kStack;
    case layer::Relation::kInterleave:
      return Why::kInterleave;
  }
  return Why::kView;
}

// Where an op of the rewritten graph went.
placement::Placement placement_of(const Words& words, const Grouping& grouping,
                                  const layer::Layers& layers,
                                  const std::vector<int>& layer_of_group, int index) {
  const auto i = static_cast<size_t>(index);
  const int group = grouping.group_of[i];
  placement::Placement placement;
  placement.layer = layer_of_group[static_cast<size_t>(group)];
  placement.engine = rules::to_string(grouping.engine[i]);
  const layer::Layer& layer = layers[static_cast<size_t>(placement.layer)];
  const int leader = layer.graph_ops[0];
  if (leader != index) {
    placement.engine = rules::to_string(grouping.engine[static_cast<size_t>(leader)]);
    placement.why = Why::kFused;
    placement.into = words.kind(words.graph.ops[static_cast<size_t>(leader)]);
    placement.into_layer = layer.name;
  } else if (const auto* in_place = layer.work.in_place()) {
    const bool by_engine = grouping.engine[i] != Engine::kNone;
    const bool view = in_place->relation == layer::Relation::kView;
    placement.why = view && by_engine ? Why::kWithinLimits : why_in_place(in_place->relation);
  } else if (layer.engine() == std::string(rules::to_string(Engine::kDma))) {
    placement.why = Why::kMoved;
    placement.verdicts = grouping.verdicts[i];
  } else if (layer::KernelName called = layer.work.kernel_name(); !called.kernel.empty()) {
    placement.why = Why::kKernel;
    placement.kernel = std::move(called.kernel), placement.image = std::move(called.image);
    placement.verdicts = grouping.verdicts[i];
  } else if (grouping.engine[i] == Engine::kHost) {
    placement.why = Why::kRefused;
    placement.verdicts = grouping.verdicts[i];
  } else if (has_computed_weights(layer)) {
    placement.why = Why::kComputedWeights;
  }
  if (placement.verdicts.empty() && leader == index) {
    for (const rules::Verdict& verdict : grouping.verdicts[i]) {
      if (placement::is_outside(verdict.engine)) placement.verdicts.push_back(verdict);
    }
  }
  return placement;
}

// The op of the rewritten graph that stands for an imported one: of its kind, where there is one,
// else what makes its tensor; -1: others took it over.
int successor(const Words& words, const std::vector<int>& producer, const ir::Op& source) {
  const auto op = [&](int index) -> const ir::Op& {
    return words.graph.ops[static_cast<size_t>(index)];
  };
  const int maker = producer[static_cast<size_t>(source.output())];
  if (maker >= 0 && op(maker).kind == source.kind) return maker;
  for (const int number : source.source_ops) {
    const auto [first, last] = words.successors.equal_range(number);
    for (auto successor = first; successor != last; ++successor) {
      const int index = successor->second;
      if (op(index).kind == source.kind && words.origins.self(op(index)) == &source) return index;
    }
  }
  return maker >= 0 && words.origins.self(op(maker)) == &source ? maker : -1;
}

// An imported op that no op of the rewritten graph stands for: its successor.
placement::Placement placement_of_folded(const Words& words, const layer::Layers& layers,
                                         const std::vector<int>& layer_of_op,
                                         const ir::Op& folded) {
  placement::Placement placement;
  placement.engine = rules::to_string(Engine::kNone);
  for (const int source : folded.source_ops) {
    const auto successor = words.successors.lower_bound(source);
    if (successor == words.successors.end() || successor->first != source) continue;
    const auto i = static_cast<size_t>(successor->second);
    placement.layer = layer_of_op[i];
    const layer::Layer& layer = layers[static_cast<size_t>(placement.layer)];
    placement.engine = layer.engine();
    placement.why = Why::kFolded;
    placement.into = words.kind(words.graph.ops[i]);
    placement.into_layer = layer.name;
    return placement;
  }
  placement.why = Why::kRemoved;
  return placement;
}

}  // namespace

partition::Partition partition(ir::Graph& graph, const SocConfig& soc, const ir::Graph& imported,
                               const Limits& limits, const UserKernels& kernels) {
  const Grouping grouping = group_ops(graph, soc, limits, kernels);
  const Words words{graph, imported};
  partition::Partition result;
  std::vector<int> layer_of_group(grouping.groups.size(), -1);
  const std::vector<int> order = data_order(graph, grouping.groups);
  std::vector<const ir::Op*> leaders;
  for (const int g : order) {
    const Group& group = grouping.groups[static_cast<size_t>(g)];
    leaders.push_back(&graph.ops[static_cast<size_t>(group.ops[0])]);
  }
  const std::vector<std::string> names = words.names.of_all(leaders);
  for (const int g : order) {
    const Group& group = grouping.groups[static_cast<size_t>(g)];
    layer::Layer layer;
    layer.name = names[result.layers.size()];
    layer.op = op_text(words, group);
    layer.graph_ops = group.ops;
    for (const int op : group.ops) {
      const std::vector<int>& sources = graph.ops[static_cast<size_t>(op)].source_ops;
      layer.source_ops.insert(layer.source_ops.end(), sources.begin(), sources.end());
    }
    std::sort(layer.source_ops.begin(), layer.source_ops.end());
    layer.macs = group.macs;
    layer.work = group.work;
    layer_of_group[static_cast<size_t>(g)] = static_cast<int>(result.layers.size());
    result.layers.push_back(std::move(layer));
  }

  std::vector<int> layer_of_op;
  for (const int group : grouping.group_of)
    layer_of_op.push_back(layer_of_group[static_cast<size_t>(group)]);
  const std::vector<int> producer = ir::uses(graph).producer;
  for (size_t i = 0; i < imported.ops.size(); ++i) {
    const ir::Op& source = imported.ops[i];
    const int index = successor(words, producer, source);
    placement::Placement placement =
        index >= 0 ? placement_of(words, grouping, result.layers, layer_of_group, index)
                   : placement_of_folded(words, result.layers, layer_of_op, source);
    placement.op = source.kind == ir::OpKind::kCustom ? source.as<ir::Custom>().code
                                                      : ir::to_string(source.kind);
    placement.name = words.names[i];
    result.placements.push_back(std::move(placement));
  }
  return result;
}

}  // namespace presil::partition
