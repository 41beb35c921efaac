// A pass rewrites a graph and says how much. Every pass keeps these promises:
//  - the graph stays valid (ir::verify) and computes the same outputs, bit for bit;
//  - a tensor that is still made keeps its id, its type and its value: tensors are appended, never
//    renumbered, so any tensor of the rewritten graph can be compared with the imported one; what a
//    pass makes of some neighbouring elements of a tensor says so in ir::Graph::parts;
//  - an op that absorbs another takes over its source_ops;
//  - running it again on its own result changes nothing.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::passes {

struct Pass {
  const char* name;
  int (*run)(ir::Graph& graph);  ///< @return rewrites done; 0: the graph is as it was
  /// Makes several operators of one of this kind, which another engine may compute whole.
  std::optional<ir::OpKind> divides = {};
};

struct Applied {
  std::string pass;
  int rewrites = 0;
};

/// Called after each run of a pass that changed something, with the graph before and after. The
/// place where the reference interpreter brackets a pass.
/// @return whether to go on
using Verify =
    std::function<bool(const Pass& pass, const ir::Graph& before, const ir::Graph& after)>;

/// What every network goes through, in this order.
const std::vector<Pass>& standard_passes();

/// Runs the passes in order, again and again until none changes anything or `verify` stops them.
/// @return what was done, in the order of doing; runs without rewrites are left out
std::vector<Applied> run_passes(ir::Graph& graph, const Verify& verify = {},
                                const std::vector<Pass>& passes = standard_passes());

/// standard_passes() on a copy, but for those that are named.
ir::Graph prepare(ir::Graph imported, const std::set<std::string>& without = {});

}  // namespace presil::passes
