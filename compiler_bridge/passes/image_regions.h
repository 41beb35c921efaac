// Parts of a graph that compute a batch image by image.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::passes {

struct ImageRegion {
  int64_t images = 0;
  std::vector<int> ops;  ///< indices, ascending
};

/// Those in which a window lies over pixels of an image of several, as large as they are; but for
/// rows of two axes that no such op comes before, or none after.
std::vector<ImageRegion> image_regions(const ir::Graph& graph);

}  // namespace presil::passes
