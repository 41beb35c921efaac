// Element types and quantisation that each kind of operator is defined for.
#pragma once

#include "compiler_bridge/ir/graph.h"

namespace presil::ir {

/// Refuses (presil::Refusal) an op whose tensors have types it is not defined for.
/// @pre ids and arity of the op are sound
void check_types(const Graph& graph, const Op& op);

}  // namespace presil::ir
