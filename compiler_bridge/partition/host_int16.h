// Functions of int16 as tasks of the ARM, where they are not those of int8 with other bounds.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/plan/layer.h"

namespace presil::partition {

plan::HostLayer sigmoid_int16(ir::Graph& graph, const ir::Op& op);  ///< logistic and tanh
plan::HostLayer softmax_int16(ir::Graph& graph, const ir::Op& op);
plan::HostLayer rsqrt_int16(ir::Graph& graph, const ir::Op& op);
plan::HostLayer relu_int16(ir::Graph& graph, const ir::Op& op);

}  // namespace presil::partition
