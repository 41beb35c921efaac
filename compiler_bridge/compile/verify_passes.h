// Every pass between two runs of the reference interpreter: the first that changes a value is
// named.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler_bridge/passes/pass.h"
#include "compiler_bridge/reference/reference.h"

namespace presil::compile {

/// What a pass did that it promises not to do.
struct BrokenPass {
  std::string pass;
  int run = 0;                        ///< which of the runs that changed something, from 1
  std::string sentence;               ///< what is wrong, beyond the pass's name
  ir::TensorId tensor = ir::kAbsent;  ///< whose value changed; absent: another promise
  std::string name;
  std::vector<int64_t> index;
  std::string before, after;  ///< the values there
};

struct VerifiedPasses {
  std::vector<passes::Applied> applied;  ///< empty where one is broken
  size_t compared = 0;                   ///< tensors, over all runs of passes
  std::optional<BrokenPass> broken;
};

/// Runs the passes as passes::prepare does and compares, after each run of one that changed
/// something, every tensor that is still made, and the outputs, with what they were before it.
/// @param inputs, custom  as of reference::run
/// Refuses (presil::Refusal) inputs and operators that the interpreter does not take.
VerifiedPasses verify_passes(const ir::Graph& imported,
                             const std::vector<reference::TensorValue>& inputs,
                             const std::vector<passes::Pass>& passes = passes::standard_passes(),
                             const reference::CustomOperator& custom = {});

}  // namespace presil::compile
