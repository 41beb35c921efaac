// A network of one image for several.
#pragma once

#include "compiler_bridge/ir/graph.h"

namespace presil::ir {

/// The graph with `images` along the first axis of each input, and of all that follows from it.
/// Refuses (presil::Refusal) a graph whose inputs have another batch than 1, or with an operator
/// that does not compute image by image; a batch of 1 leaves any graph as it is.
Graph with_batch(const Graph& graph, int64_t images);

}  // namespace presil::ir
