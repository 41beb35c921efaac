// A network whose states outlive a run.
#pragma once

#include "compiler_bridge/ir/graph.h"

namespace presil::ir {

/// The graph with the state of each lstm and svdf as an input and an output more, paired in
/// `states`; each began at 0 in every run before. Inputs and outputs of the network stay first.
/// What has none comes back as it was.
Graph with_states(Graph graph);

}  // namespace presil::ir
