// How an op becomes a task of the ARM; one list per family, host_<family>.cpp.
#pragma once

#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/host_layer.h"

namespace presil::partition {

/// What the kernel needs beside the op's tensors is appended to the graph; scratch also to the
/// layer's outputs. The op's own results follow them (host_layer).
struct Lowering {
  ir::OpKind kind;
  layer::HostLayer (*lower)(ir::Graph& graph, const ir::Op& op);
};

std::vector<Lowering> window_lowerings();
std::vector<Lowering> product_lowerings();
std::vector<Lowering> lstm_lowerings();
std::vector<Lowering> function_lowerings();
std::vector<Lowering> number_lowerings();
std::vector<Lowering> integer_lowerings();
std::vector<Lowering> move_lowerings();
std::vector<Lowering> detection_lowerings();

/// Of int32, int64 and bool, and of int8 and int16 as they are stored.
layer::HostLayer pair_whole(ir::Graph& graph, const ir::Op& op);
layer::HostLayer reduce_whole(ir::Graph& graph, const ir::Op& op);

}  // namespace presil::partition
