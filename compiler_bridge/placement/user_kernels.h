// Which operators the kernels of the user compute: custom ones, those whose owner prefers
// the kernel, and those where it takes fewer cycles than the engine that computes them otherwise.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/layer.h"
#include "compiler_bridge/partition/grouping.h"
#include "compiler_bridge/partition/partition.h"
#include "models/soc/soc_config.h"

namespace presil::placement {

class UserKernelChoice {
 public:
  /// @param kernels     at most one for each op
  /// @param verdicts  by op: why those that were asked do not take it
  /// Refuses (presil::Refusal) a custom op without kernel or without a DSP, a kernel that its image
  /// does not have, an image that the DSP cannot hold, and a call that cannot be made.
  UserKernelChoice(const ir::Graph& imported, const SocConfig& config,
                   const std::vector<partition::UserKernel>& kernels,
                   const std::map<int, std::vector<Verdict>>& verdicts);

  /// The imported graph with a custom op for each op that a kernel computes.
  ir::Graph graph() const;
  const partition::UserKernels& taken() const { return m_taken; }

  /// Whether there are kernels left that a comparison decides about.
  bool undecided() const { return !m_asked.empty(); }
  /// @param without  what runs where without them; `graph` is the one it is about
  /// @return whether there is a new one among those taken
  bool decide(const partition::Partition& without, const ir::Graph& graph);
  /// The kernel that makes the tensor does not fit: its op goes elsewhere, or is refused.
  void leave(ir::TensorId made, const Verdict& why);

  /// Adds the verdicts of the kernels. @param placements  one per imported op
  void annotate(std::vector<Placement>& placements) const;

 private:
  void admit(const partition::UserKernel& kernel);
  /// Of the kernel, against what computes the op without it.
  Verdict compared(const partition::UserKernel& kernel, const partition::Partition& without,
                   const ir::Graph& graph) const;
  const ir::Op& op_of(const partition::UserKernel& kernel) const;

  const ir::Graph& m_imported;
  const SocConfig& m_config;
  partition::UserKernels m_taken;
  std::vector<partition::UserKernel> m_asked;
  /// By op: why kernels do not compute it.
  std::map<int, std::vector<Verdict>> m_verdicts;
};

}  // namespace presil::placement
