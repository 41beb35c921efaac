// How large a network is.
#pragma once

#include "compiler_bridge/ir/graph.h"

namespace presil::ir {

/// Multiply-accumulates of one op: convolutions and fully connected; taps in the padding count.
/// 0 for all others.
int64_t macs(const Graph& graph, const Op& op);
int64_t macs(const Graph& graph);

/// Elements of the constants that are weights or biases of convolutions and fully connected.
int64_t parameters(const Graph& graph);

}  // namespace presil::ir
