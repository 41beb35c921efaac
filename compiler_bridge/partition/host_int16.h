// Functions of int16 as tasks of the ARM, where they are not those of int8 with other bounds.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/host_layer.h"

namespace presil::partition {

layer::HostLayer sigmoid_int16(ir::Graph& graph, const ir::Op& op);  ///< logistic and tanh
layer::HostLayer softmax_int16(ir::Graph& graph, const ir::Op& op);
layer::HostLayer rsqrt_int16(ir::Graph& graph, const ir::Op& op);
layer::HostLayer relu_int16(ir::Graph& graph, const ir::Op& op);

}  // namespace presil::partition
