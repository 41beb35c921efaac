// Shapes of operators on stored integers.
#include "compiler_bridge/ir/shape_case.h"

namespace presil::ir::shapes {
namespace {

void require_entries(const Case& c, const std::vector<int64_t>& list, const char* name,
                     size_t expected) {
  c.require(list.size() == expected, [&] {
    return std::string(name) + " has " + std::to_string(list.size()) + " entries, must have " +
           std::to_string(expected);
  });
}

/// Positions of a window along an axis.
int64_t positions(const Case& c, int64_t extent, int64_t kernel, int64_t stride, int64_t dilation,
                  int64_t padding) {
  c.require(stride > 0 && dilation > 0, [&] {
    return "stride is " + text(stride) + ", dilation " + text(dilation) + ", must be at least 1";
  });
  const int64_t room = extent + padding - (kernel - 1) * dilation - 1;
  c.require(room >= 0, [&] {
    return "x has " + text(extent) + " places along an axis and " + text(padding) +
           " of padding, its window of " + text(kernel) + " with dilation " + text(dilation) +
           " requires more";
  });
  return room / stride + 1;
}

}  // namespace

Shapes rescale(const Case& c) {
  const int64_t channels = c.in(0).empty() ? 1 : c.in(0).back();
  for (size_t i : {size_t{1}, size_t{2}}) {
    c.require(c.in(i).size() == 1 && (c.in(i)[0] == 1 || c.in(i)[0] == channels), [&] {
      return info(c.op.kind).inputs[i] + " is " + to_string(c.in(i)) + ", must be [1] or [" +
             text(channels) + "], the last axis of x";
    });
  }
  return c.in(0);
}

Shapes conv_sums(const Case& c) {
  const auto& a = c.op.as<ConvSums>();
  const Shape &x = c.in(0), &w = c.in(1);
  const size_t space = a.stride.size();
  c.require(space == 2 || space == 3, "stride has not two or three entries");
  require_entries(c, a.dilation, "dilation", space), require_entries(c, a.before, "before", space);
  require_entries(c, a.after, "after", space);
  c.require_rank(0, space + 2), c.require_rank(1, space + 2);
  const size_t kernel = a.depthwise ? 0 : 1;
  const int64_t in = x.back(), read = a.depthwise ? w[space] : w.back();
  c.require(in == read, [&] {
    return "x is " + to_string(x) + ", weights are " + to_string(w) + ": " + text(in) + " and " +
           text(read) + " input channels, must be as many";
  });
  const int64_t out = a.depthwise ? in * w.back() : w[0];
  c.require(c.in(2).size() == 1 && (c.in(2)[0] == 1 || c.in(2)[0] == out), [&] {
    return "bias is " + to_string(c.in(2)) + ", must be [1] or [" + text(out) + "]";
  });
  Shape y = {x[0]};
  for (size_t i = 0; i < space; ++i) {
    const int64_t cut = a.before[i] + a.after[i];
    if (a.transposed) {
      y.push_back((x[i + 1] - 1) * a.stride[i] + w[i + kernel] - cut);
      c.require(y.back() > 0, [&] { return "y has " + text(y.back()) + " rows, must have some"; });
    } else {
      y.push_back(positions(c, x[i + 1], w[i + kernel], a.stride[i], a.dilation[i], cut));
    }
  }
  y.push_back(out);
  return y;
}

Shapes matmul_sums(const Case& c) {
  c.require_rank(0, 3), c.require_rank(1, 3);
  const Shape &a = c.in(0), &b = c.in(1);
  c.require(a[0] == b[0] && a[2] == b[1], [&] {
    return "a is " + to_string(a) + ", b is " + to_string(b) + ", must be [n, h, k] and [n, k, w]";
  });
  return Shape{a[0], a[1], b[2]};
}

Shapes mean_pool(const Case& c) {
  c.require_rank(0, 4);
  const auto& a = c.op.as<MeanPool>();
  c.require(a.kernel_h > 0 && a.kernel_w > 0, "its kernel is empty");
  const Shape& x = c.in(0);
  c.require(a.pad_top < a.kernel_h && a.pad_bottom < a.kernel_h && a.pad_left < a.kernel_w &&
                a.pad_right < a.kernel_w,
            "its padding is as large as its kernel, must be less");
  return Shape{x[0], positions(c, x[1], a.kernel_h, a.stride_h, 1, a.pad_top + a.pad_bottom),
               positions(c, x[2], a.kernel_w, a.stride_w, 1, a.pad_left + a.pad_right), x[3]};
}

Shapes resize_by_ratio(const Case& c) {
  c.require_rank(0, 4);
  const auto& a = c.op.as<ResizeByRatio>();
  require_entries(c, a.scale, "scale", 4), require_entries(c, a.offset, "offset", 2);
  require_entries(c, a.border, "border", 2);
  Shape y = c.in(0);
  for (size_t i = 0; i < 2; ++i) {
    const int64_t numerator = a.scale[2 * i], denominator = a.scale[2 * i + 1];
    c.require(numerator > 0 && numerator <= 2048 && denominator > 0 && denominator <= 1 << 15, [&] {
      return "scale is " + text(numerator) + " / " + text(denominator) +
             ", must be within 1..2048 / 1..32768";
    });
    const int64_t last = (y[i + 1] - 1) * numerator - a.offset[i] + a.border[i];
    c.require(last >= 0, [&] { return "offset and border leave no rows"; });
    y[i + 1] = last / denominator + 1;
  }
  return y;
}

Shapes scatter(const Case& c) {
  c.require_rank(0, 3), c.require_rank(1, 2), c.require_rank(2, 3);
  const Shape &x = c.in(0), &indices = c.in(1), &updates = c.in(2);
  c.require(indices[0] == x[0] && updates == Shape({x[0], indices[1], x[2]}), [&] {
    return "x is " + to_string(x) + ", indices are " + to_string(indices) + ", updates " +
           to_string(updates) + ", must be [n, k, c], [n, w], [n, w, c]";
  });
  return x;
}

}  // namespace presil::ir::shapes
