// A call of the vector DSP: kernel of driver/kernels/dsp, its tensors in the kernel's order, its
// parameters, what it costs and how it may be cut.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/dsp_layer.h"

namespace presil::partition {

/// Appends constants that the kernel needs beside the op's tensors to the graph.
/// @pre rules::take(kDsp, op)
layer::DspLayer dsp_layer(ir::Graph& graph, const ir::Op& op);

}  // namespace presil::partition
