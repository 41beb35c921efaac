#include "compiler_bridge/rules/image.h"

#include <algorithm>

#include "compiler_bridge/common/scales.h"

namespace presil::rules {

constexpr int64_t kMaxDenseKernel = 16;  // kernel rows and columns of a convolution command

std::optional<Image> image_of(const ir::Tensor& tensor) {
  const std::vector<int64_t>& shape = tensor.shape;
  if (shape.size() > 4 || (shape.size() == 4 && shape[0] != 1)) return std::nullopt;
  const auto from_back = [&](size_t i) {
    return shape.size() > i ? shape[shape.size() - 1 - i] : int64_t{1};
  };
  return Image{from_back(2), from_back(1), from_back(0)};
}

std::optional<DenseView> dense_view(const ir::Graph& graph, const ir::Op& op, const ir::Tensor& x) {
  const std::optional<Image> in = image_of(x);
  const std::optional<Image> out = image_of(graph.tensor(op.output()));
  if (!in || !out) return std::nullopt;
  const int64_t row = graph.tensor(op.input(1)).shape.at(1);
  if (in->c == row && in->h == out->h && in->w == out->w) return DenseView{*in, *out, 1, 1};
  const bool one_row = out->h == 1 && out->w == 1 && in->h * in->w * in->c == row;
  if (one_row && in->h <= kMaxDenseKernel && in->w <= kMaxDenseKernel) {
    return DenseView{*in, *out, in->h, in->w};
  }
  return std::nullopt;
}

bool may_stream(const ir::Graph& graph, const ir::Op& op, size_t index) {
  if (op.kind == ir::OpKind::kSub && common::numerics_of(graph, op) == ir::Numerics::kTflite &&
      index != 0) {
    return false;
  }
  const ir::Tensor &streamed = graph.tensor(op.input(index)),
                   &read = graph.tensor(op.input(1 - index));
  const auto y = image_of(graph.tensor(op.output())), a = image_of(streamed), b = image_of(read);
  if (!y || !a || !b || *a != *y) return false;
  if (streamed.is_constant()) {
    const bool only_way =
        op.kind == ir::OpKind::kSub && common::numerics_of(graph, op) == ir::Numerics::kTflite;
    return only_way && !read.is_constant() && (*b == *y || *b == Image{1, 1, y->c});
  }
  return read.is_constant() || *b == *y || *b == Image{1, 1, y->c};
}

std::optional<Matrices> matrices_of(const ir::Graph& graph, const ir::Op& transpose) {
  const std::vector<int64_t>& x = graph.tensor(transpose.input(0)).shape;
  std::vector<size_t> perm;  // x's axes in y's order, but for those of 1
  for (const int64_t axis : transpose.as<ir::Transpose>().perm) {
    if (x[static_cast<size_t>(axis)] != 1) perm.push_back(static_cast<size_t>(axis));
  }
  std::vector<size_t> axes = perm;
  std::sort(axes.begin(), axes.end());
  Matrices m;
  size_t kept = 0;
  for (; kept < axes.size() && perm[kept] == axes[kept]; ++kept) m.count *= x[axes[kept]];
  // Of a b c d e, a stays: a d e b c has the columns d e first, then the rows b c.
  const auto of_x = axes.begin() + static_cast<std::ptrdiff_t>(kept);
  const auto of_y = perm.begin() + static_cast<std::ptrdiff_t>(kept);
  if (of_x == axes.end()) return std::nullopt;
  const auto first_column = std::find(of_x, axes.end(), *of_y);
  if (!std::equal(first_column, axes.end(), of_y) ||
      !std::equal(of_x, first_column, of_y + (axes.end() - first_column))) {
    return std::nullopt;
  }
  for (auto axis = of_x; axis != first_column; ++axis) m.rows *= x[*axis];
  for (auto axis = first_column; axis != axes.end(); ++axis) m.columns *= x[*axis];
  return m;
}

bool is_over_channels(const ir::Graph& graph, const ir::Op& reduce) {
  const std::vector<int64_t>& axes = reduce.as<ir::Reduce>().axes;
  const auto x = image_of(graph.tensor(reduce.input(0)));
  const auto y = image_of(graph.tensor(reduce.output()));
  const auto last = static_cast<int64_t>(graph.tensor(reduce.input(0)).shape.size()) - 1;
  return axes == std::vector<int64_t>{last} && x && y && *y == Image{x->h, x->w, 1};
}

bool stacks(const ir::Graph& graph, const ir::Op& concat) {
  const std::vector<int64_t>& shape = graph.tensor(concat.output()).shape;
  const auto axis = static_cast<size_t>(concat.as<ir::Concat>().axis);
  return axis + 1 < shape.size() &&
         std::all_of(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(axis),
                     [](int64_t extent) { return extent == 1; });
}

bool doubles_image(const ir::Graph& graph, const ir::Op& resize) {
  const std::optional<Image> x = image_of(graph.tensor(resize.input(0)));
  const std::optional<Image> y = image_of(graph.tensor(resize.output()));
  // With or without half-pixel centres the source of row r is floor(r / 2): (r + 0.5) / 2 has the
  // same floor as r / 2. Aligned corners place it elsewhere.
  return x && y && *y == Image{2 * x->h, 2 * x->w, x->c} && !resize.as<ir::Resize>().align_corners;
}

}  // namespace presil::rules
