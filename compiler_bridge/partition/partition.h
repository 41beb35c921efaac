// Which engine computes what: a graph becomes layers, each with every integer that the engine's
// arithmetic needs and none of the addresses (those are plan's). Ops are grouped by what one
// command computes: {convolution | fully connected | pool | pass} then table, then element-wise
// with a second tensor, then upsampling by 2. Every step of such a chain is the
// operator's own exact integer result, so fusing changes no byte.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/layer/layer.h"
#include "compiler_bridge/partition/grouping.h"
#include "compiler_bridge/placement/record.h"
#include "models/soc/soc_config.h"

namespace presil::partition {

struct Partition {
  layer::Layers layers;
  std::vector<placement::Placement> placements;
};

/// @param graph     what passes::prepare made of `imported`; gets the constants and scratch tensors
///                  that host kernels need, and tensors for copies into concatenations, appended
/// @param imported  names the ops in layers and placements; `placements` has one entry for each of
///                  its ops, in its order
/// @return layers in an order in which every tensor is made before it is read. Tensors inside a
///         fused layer are not made.
/// @param limits    by op of `graph`
/// @param kernels   of the user, one for each custom op
/// Refuses (presil::Refusal) an op that neither an engine nor a kernel of the host takes.
Partition partition(ir::Graph& graph, const SocConfig& soc, const ir::Graph& imported,
                    const Limits& limits = {}, const UserKernels& kernels = {});

/// The tensor of the imported graph with the same values; ir::kAbsent: the compiler added it.
/// (Passes and partition append tensors and never renumber them.)
inline ir::TensorId origin(const ir::Graph& imported, ir::TensorId id) {
  return id < static_cast<ir::TensorId>(imported.tensors.size()) ? id : ir::kAbsent;
}

}  // namespace presil::partition
