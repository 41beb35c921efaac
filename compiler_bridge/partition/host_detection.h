// What follows a detector's network, as tasks of the ARM. Scratch that a kernel wants is appended
// to the graph, and to the layer's outputs.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/plan/layer.h"

namespace presil::partition {

plan::HostLayer yolo_decode(const ir::Op& op);
plan::HostLayer nms(ir::Graph& graph, const ir::Op& op);
plan::HostLayer detection_post_process(ir::Graph& graph, const ir::Op& op);

}  // namespace presil::partition
