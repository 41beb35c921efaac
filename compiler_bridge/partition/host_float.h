// Operators of float32 as tasks of the ARM: kernels that take no multipliers.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/host_layer.h"
#include "driver/kernels/host/attributes.h"

namespace presil::partition {

/// Does the op compute with float32?
bool is_float(const ir::Graph& graph, const ir::Op& op);

/// Which function of one or two floats the op is, with its constants and clamp; the kernels of
/// host and DSP number them alike.
presil_function_f32_attributes function_of(const ir::Op& op);
presil_pair_f32_attributes pair_of(const ir::Op& op);

/// What the op fuses, as bounds of its results.
presil_clamp_f32_attributes clamp_of(ir::Activation act);

layer::HostLayer convolution_float(ir::Graph& graph, const ir::Op& op);  ///< of all three kinds
layer::HostLayer pool_float(ir::Graph& graph, const ir::Op& op);
layer::HostLayer resize_bilinear_float(ir::Graph& graph, const ir::Op& op);
layer::HostLayer fully_connected_float(ir::Graph& graph, const ir::Op& op);
layer::HostLayer batch_matmul_float(ir::Graph& graph, const ir::Op& op);
layer::HostLayer pair_float(ir::Graph& graph, const ir::Op& op);
layer::HostLayer function_float(ir::Graph& graph, const ir::Op& op);
layer::HostLayer reduce_float(ir::Graph& graph, const ir::Op& op);
layer::HostLayer softmax_float(ir::Graph& graph, const ir::Op& op);
layer::HostLayer log_softmax_float(ir::Graph& graph, const ir::Op& op);
layer::HostLayer l2_normalize_float(ir::Graph& graph, const ir::Op& op);
layer::HostLayer layer_norm_float(ir::Graph& graph, const ir::Op& op);

}  // namespace presil::partition
