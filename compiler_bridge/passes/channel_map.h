// Channels of a result that are channels of x: a 1x1 convolution whose weights are ones.
#pragma once

#include <optional>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::passes {

/// y, of x's pixels, whose channel o is channel map[o] of x. The weight 1 of scale 1 leaves values
/// exactly as they are.
/// @pre x and y are images of int8, [n, h, w, c], with the same quantisation, of a scale for all
ir::Op select_channels(ir::Graph& graph, ir::TensorId x, ir::TensorId y,
                       const std::vector<int64_t>& map, const ir::Op& as);

/// The map of a convolution that select_channels has made, or one like it.
std::optional<std::vector<int64_t>> selection_of(const ir::Graph& graph, const ir::Op& op);

}  // namespace presil::passes
