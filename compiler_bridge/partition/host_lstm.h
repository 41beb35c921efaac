// An LSTM as a task of the ARM.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/plan/layer.h"

namespace presil::partition {

/// Appends to the graph what the kernel wants beside the op's tensors: the table of its gates, a
/// state of 0 where the op has none.
plan::HostLayer lstm(ir::Graph& graph, const ir::Op& op);

}  // namespace presil::partition
