// Operators that compute a batch image by image.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::ir {

/// Image i of each result follows from image i of some operands, and from the whole of the others.
/// Images are what lies along the first axis.
struct ByImage {
  int64_t images = 1;
  std::vector<bool> of_image;  ///< by input: it has images; else each image reads the whole
};

/// nullopt: images of the results depend on several of an operand's, or the first axis of a result
/// is not that of the images. Where there is one image, a constant is read as a whole.
std::optional<ByImage> by_image(const Graph& graph, const Op& op);

/// The op for so many images: all that its attributes say of the first axis.
Op of_images(Op op, int64_t images);

}  // namespace presil::ir
