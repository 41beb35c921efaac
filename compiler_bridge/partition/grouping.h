// Ops gathered into groups, one layer each, before they are put in order.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/layer.h"
#include "compiler_bridge/partition/dsp_user.h"
#include "compiler_bridge/rules/rules.h"

namespace presil::partition {

struct Group {
  std::vector<int> ops;  ///< of the graph; the first is what the layer is, the others joined it
  uint64_t macs = 0;
  layer::Work work;
  /// What the layer does with the first op, where that is another thing than the op: "copy" of a
  /// concatenation's input; "": the op.
  std::string does = {};
};

struct Grouping {
  std::vector<Group> groups;
  std::vector<int> group_of;          ///< by op of the graph; -1: none yet
  std::vector<rules::Engine> engine;  ///< by op
  /// By op, of those asked before that one: the first that knows it, then others that it is for.
  std::vector<std::vector<rules::Verdict>> verdicts;
};

/// What a grouping must not do, learnt from plans that did not fit. By op of the graph.
struct Limits {
  std::map<rules::Engine, std::map<int, rules::Verdict>> not_on;
  std::set<int> not_fused;  ///< element-wise ops that get a command of their own

  /// Why the op may not go to the engine; null: it may.
  const rules::Verdict* why_not_on(rules::Engine engine, int op) const {
    const auto of_engine = not_on.find(engine);
    if (of_engine == not_on.end()) return nullptr;
    const auto found = of_engine->second.find(op);
    return found == of_engine->second.end() ? nullptr : &found->second;
  }
};

/// Kernels of the user by the first result of the op that each computes, a custom one by then.
using UserKernels = std::map<ir::TensorId, UserKernel>;

/// Every op of the graph in exactly one group. Appends to the graph's tensors.
/// Refuses (presil::Refusal) an op that nothing takes, with every engine's verdict.
Grouping group_ops(ir::Graph& graph, const SocConfig& soc, const Limits& limits,
                   const UserKernels& kernels);

}  // namespace presil::partition
