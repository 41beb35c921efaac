// What runs where, and with which memory.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/plan/arrange.h"
#include "compiler_bridge/plan/layer.h"

namespace presil::placement {

struct Placed {
  ir::Graph graph;  ///< as the passes have made it, with what lowering appends
  plan::Partition partition;
  plan::Layout layout;
  plan::Plan plan;
  std::vector<plan::Misfit> misfits = {};  ///< layers that fit in no way; then there is no plan
};

}  // namespace presil::placement
