// What runs where, and with which memory.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/partition/partition.h"
#include "compiler_bridge/plan/arrange.h"

namespace presil::placement {

struct Placed {
  ir::Graph graph;  ///< as the passes have made it, with what lowering appends
  partition::Partition partition;
  plan::Layout layout;
  plan::Plan plan;
  std::vector<plan::Plan> others;          ///< about as fast, as estimated
  std::vector<plan::Misfit> misfits = {};  ///< layers that fit in no way; then there is no plan
};

}  // namespace presil::placement
