// The second operand of an element-wise operation, as the DLA reads it.
#pragma once

#include "compiler_bridge/ir/graph.h"

namespace presil::partition {

/// Operand `index` with y's channels and as many pixels as y, or one that is read for all. A
/// constant that repeats in another way is written out: a tensor more in the graph.
/// @pre rules::may_stream(graph, op, 1 - index)
ir::TensorId read_operand(ir::Graph& graph, const ir::Op& op, size_t index);

}  // namespace presil::partition
