// A task of the ARM: kernel of driver/kernels/host, its tensors in the kernel's order, its
// attributes.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/host_layer.h"

namespace presil::partition {

/// Appends to the graph what the kernel needs beside the op's tensors: multipliers and shifts,
/// a bias of zeros, tables, scratch. Scratch is listed in `outputs`, before the results.
/// @pre rules::take(kHost, op)
layer::HostLayer host_layer(ir::Graph& graph, const ir::Op& op);

}  // namespace presil::partition
