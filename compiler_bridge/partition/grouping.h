// Ops gathered into groups, one layer each, before they are put in order.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/partition/dsp_user.h"
#include "compiler_bridge/plan/layer.h"
#include "compiler_bridge/rules/rules.h"

namespace presil::partition {

struct Group {
  std::vector<int> ops;  ///< of the graph; the first is what the layer is, the others joined it
  uint64_t macs = 0;
  decltype(plan::Layer::work) work;

  plan::DlaLayer* dla() { return std::get_if<plan::DlaLayer>(&work); }
  const plan::DlaLayer* dla() const { return std::get_if<plan::DlaLayer>(&work); }
};

struct Grouping {
  std::vector<Group> groups;
  std::vector<int> group_of;          ///< by op of the graph; -1: none yet
  std::vector<rules::Engine> engine;  ///< by op
  std::vector<std::string> reason;    ///< by op: why no engine before that one took it
  std::vector<std::string> change;    ///< by op: what would have to change for that one to take it
};

/// What a grouping must not do, learnt from plans that did not fit. By op of the graph.
struct Limits {
  std::map<int, std::string> not_on_dla;  ///< no room in the SRAM: each with the sentence of it
  std::map<int, std::string> not_on_dma;  ///< each with the sentence that says why
  std::map<int, std::string> not_on_dsp;  ///< likewise
  std::set<int> not_fused;                ///< element-wise ops that get a command of their own
};

/// Kernels of the user by the first result of the op that each computes, a custom one by then.
using UserKernels = std::map<ir::TensorId, UserKernel>;

/// Every op of the graph in exactly one group. Appends to the graph's tensors.
/// Refuses (presil::Refusal) an op that nothing takes, with every engine's sentence.
Grouping group_ops(ir::Graph& graph, const SocConfig& soc, const Limits& limits,
                   const UserKernels& kernels);

/// Tensors that a layer reads and makes; constants included.
std::vector<ir::TensorId> reads(const Group& group);
std::vector<ir::TensorId> writes(const Group& group);

}  // namespace presil::partition
