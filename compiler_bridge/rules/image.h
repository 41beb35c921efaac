// Tensors as an engine sees them: rows, columns, channels.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler_bridge/ir/graph.h"

namespace presil::rules {

struct Image {
  int64_t h = 1, w = 1, c = 1;
  bool operator==(const Image& other) const { return h == other.h && w == other.w && c == other.c; }
  bool operator!=(const Image& other) const { return !(*this == other); }
};

/// The last three axes; missing ones are 1. nullopt: an axis before them is not 1, or rank > 4.
std::optional<Image> image_of(const ir::Tensor& tensor);

/// A fully connected layer as a convolution: either 1x1 on every pixel of x, or, where x is an
/// image that the layer flattens, one kernel as large as x.
struct DenseView {
  Image in, out;
  int64_t kernel_h = 1, kernel_w = 1;
};
/// @param x  what the layer reads, or a tensor of which that is a reshape
/// nullopt: neither form fits
std::optional<DenseView> dense_view(const ir::Graph& graph, const ir::Op& op, const ir::Tensor& x);

/// Whether operand `index` of add, sub or mul may be what the DLA computes while the other is read
/// beside it: it is computed and of y's shape; the other is of that shape, one pixel, or a
/// constant. TFLite's a - b is not the negative of b - a where a product lies halfway, so there it
/// is a, if need be a constant of y's shape.
bool may_stream(const ir::Graph& graph, const ir::Op& op, size_t index);

/// A transposition whose matrices' rows become columns: axes of 1 apart, it swaps two neighbouring
/// groups of axes, the last one included, and leaves those before them.
struct Matrices {
  int64_t count = 1, rows = 1, columns = 1;  ///< of x
};
/// nullopt: it moves axes in another way.
std::optional<Matrices> matrices_of(const ir::Graph& graph, const ir::Op& transpose);

/// A mean or sum over the channels of each pixel, of which one is left.
bool is_over_channels(const ir::Graph& graph, const ir::Op& reduce);

/// A concatenation along another axis than the last, before which all are 1: y's bytes are those of
/// its inputs, one after another.
bool stacks(const ir::Graph& graph, const ir::Op& concat);

/// y = x of twice the rows and columns, each value 2 x 2 times.
bool doubles_image(const ir::Graph& graph, const ir::Op& resize);

}  // namespace presil::rules
