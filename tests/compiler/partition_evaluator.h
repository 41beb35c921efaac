// Computes a partition layer by layer in plain loops, straight from the words of rtl/dla/README.md:
// no commands, no tiles, no layouts. Shows that a layer's integers are right before anything places
// them in memory. Host layers run the real kernels.
#pragma once

#include <map>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/partition/partition.h"

namespace presil::partition {

using Values = std::map<ir::TensorId, ir::Bytes>;

/// @param inputs  one per graph input
/// @return every tensor that some layer writes, and the inputs
Values evaluate(const ir::Graph& graph, const partition::Partition& partition,
                const std::vector<ir::Bytes>& inputs);

}  // namespace presil::partition
