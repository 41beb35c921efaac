// Shape rules, one small function per kind of operator.
#include "compiler_bridge/ir/shape.h"

#include <algorithm>
#include <stdexcept>

#include "compiler_bridge/ir/shape_case.h"
#include "rtl/soc/refusal.h"

namespace presil::ir {

using namespace shapes;

namespace {

/// The two spatial extents of a window operator.
template <class Window>
std::pair<int64_t, int64_t> window(const Case& c, const Window& w, int64_t kernel_h,
                                   int64_t kernel_w, int64_t dilation_h, int64_t dilation_w) {
  c.want(w.stride_h >= 1 && w.stride_w >= 1, [&] {
    return "strides are " + text(w.stride_h) + " and " + text(w.stride_w) + ", want at least 1";
  });
  c.want(dilation_h >= 1 && dilation_w >= 1, [&] {
    return "dilations are " + text(dilation_h) + " and " + text(dilation_w) + ", want at least 1";
  });
  c.want(kernel_h >= 1 && kernel_w >= 1, [&] {
    return "kernel is " + text(kernel_h) + "x" + text(kernel_w) + ", wants at least 1x1";
  });
  const int64_t reach_h = (kernel_h - 1) * dilation_h + 1;
  const int64_t reach_w = (kernel_w - 1) * dilation_w + 1;
  c.want(w.pad_top >= 0 && w.pad_bottom >= 0 && w.pad_top < reach_h && w.pad_bottom < reach_h, [&] {
    return "pad_top is " + text(w.pad_top) + " and pad_bottom is " + text(w.pad_bottom) +
           ", want 0.." + text(reach_h - 1) + ": less than the kernel's reach";
  });
  c.want(w.pad_left >= 0 && w.pad_right >= 0 && w.pad_left < reach_w && w.pad_right < reach_w, [&] {
    return "pad_left is " + text(w.pad_left) + " and pad_right is " + text(w.pad_right) +
           ", want 0.." + text(reach_w - 1) + ": less than the kernel's reach";
  });
  const int64_t out_h =
      window_extent(c.in(0)[1], kernel_h, w.stride_h, dilation_h, w.pad_top, w.pad_bottom);
  const int64_t out_w =
      window_extent(c.in(0)[2], kernel_w, w.stride_w, dilation_w, w.pad_left, w.pad_right);
  c.want(out_h >= 1 && out_w >= 1, [&] {
    return "a kernel that reaches " + text(reach_h) + "x" + text(reach_w) + " does not fit into " +
           to_string(c.in(0)) + " with its padding";
  });
  return {out_h, out_w};
}

void want_bias(const Case& c, int64_t channels) {
  if (!c.has(2)) return;
  c.want(c.in(2) == Shape{channels}, [&] {
    return "bias is " + to_string(c.in(2)) + ", wants [" + text(channels) + "], one per output";
  });
}

Shape conv2d(const Case& c) {
  const auto& a = c.op.as<Conv2d>();
  c.want_rank(0, 4), c.want_rank(1, 4);
  const Shape& x = c.in(0);
  const Shape& w = c.in(1);
  c.want(a.groups >= 1 && w[0] % a.groups == 0, [&] {
    return "groups is " + text(a.groups) + ", wants a divisor of the " + text(w[0]) +
           " output channels";
  });
  c.want(w[3] * a.groups == x[3], [&] {
    return "weights are " + to_string(w) + " in " + text(a.groups) + " groups, x has " +
           text(x[3]) + " channels, wants " + text(w[3] * a.groups);
  });
  want_bias(c, w[0]);
  const auto [h, width] = window(c, a, w[1], w[2], a.dilation_h, a.dilation_w);
  return {x[0], h, width, w[0]};
}

Shape depthwise_conv2d(const Case& c) {
  const auto& a = c.op.as<DepthwiseConv2d>();
  c.want_rank(0, 4), c.want_rank(1, 4);
  const Shape& x = c.in(0);
  const Shape& w = c.in(1);
  c.want(a.multiplier >= 1 && w[0] == 1 && w[3] % x[3] == 0 && w[3] / x[3] == a.multiplier, [&] {
    return "weights are " + to_string(w) + ", want [1,h,w," + text(x[3]) +
           " channels * multiplier " + text(a.multiplier) + "]";
  });
  want_bias(c, w[3]);
  const auto [h, width] = window(c, a, w[1], w[2], a.dilation_h, a.dilation_w);
  return {x[0], h, width, w[3]};
}

/// Rows (columns) of a transposed convolution.
int64_t widened(const Case& c, const char* axis, int64_t in, int64_t kernel, int64_t stride,
                int64_t before, int64_t after) {
  c.want(stride >= 1 && kernel >= 1, [&] {
    return std::string(axis) + " have stride " + text(stride) + " and kernel " + text(kernel) +
           ", want at least 1";
  });
  const int64_t least = std::min<int64_t>(0, kernel - stride);
  c.want(before >= 0 && before < kernel && after >= least && after < kernel, [&] {
    return std::string(axis) + " are padded by " + text(before) + " and " + text(after) +
           ", want 0.." + text(kernel - 1) + " before and " + text(least) + ".." +
           text(kernel - 1) + " behind";
  });
  const int64_t out = (in - 1) * stride + kernel - before - after;
  c.want(out >= 1, [&] { return "no " + std::string(axis) + " are left of y after padding"; });
  return out;
}

Shape transpose_conv2d(const Case& c) {
  const auto& a = c.op.as<TransposeConv2d>();
  c.want_rank(0, 4), c.want_rank(1, 4);
  const Shape& x = c.in(0);
  const Shape& w = c.in(1);
  c.want(w[3] == x[3], [&] {
    return "weights are " + to_string(w) + ", x has " + text(x[3]) + " channels, wants " +
           text(w[3]);
  });
  want_bias(c, w[0]);
  return {x[0], widened(c, "rows", x[1], w[1], a.stride_h, a.pad_top, a.pad_bottom),
          widened(c, "columns", x[2], w[2], a.stride_w, a.pad_left, a.pad_right), w[0]};
}

Shape fully_connected(const Case& c) {
  c.want_rank(1, 2);
  const Shape& w = c.in(1);
  const int64_t count = elements(c.in(0));
  c.want(count % w[1] == 0, [&] {
    return "x is " + to_string(c.in(0)) + ", wants rows of " + text(w[1]) + " values as weights " +
           to_string(w) + " say";
  });
  want_bias(c, w[0]);
  const Shape& y = c.stated();
  c.want(!y.empty() && y.back() == w[0] && elements(y) == count / w[1] * w[0], [&] {
    return "y is " + to_string(y) + ", wants " + text(count / w[1]) + " rows of " + text(w[0]);
  });
  return y;
}

std::vector<Shape> lstm(const Case& c) {
  c.want_rank(0, 3), c.want_rank(1, 2);
  const Shape& x = c.in(0);
  const int64_t units = c.in(1)[0], batch = c.op.as<Lstm>().time_major ? x[1] : x[0];
  const Shape state = {batch, units};
  for (size_t i = 1; i < c.op.inputs.size(); ++i) {
    if (!c.has(i)) continue;
    const Shape wanted = i <= 4    ? Shape{units, x[2]}
                         : i <= 8  ? Shape{units, units}
                         : i <= 12 ? Shape{units}
                                   : state;
    c.want(c.in(i) == wanted, [&] {
      return info(c.op.kind).inputs[i] + " is " + to_string(c.in(i)) + ", wants " +
             to_string(wanted) + ": " + text(units) + " units, x " + to_string(x);
    });
  }
  return {{x[0], x[1], units}, state, state};
}

Shape broadcast(const Case& c, const Shape& a, const Shape& b) {
  Shape y(std::max(a.size(), b.size()), 1);
  for (size_t i = 1; i <= y.size(); ++i) {
    const int64_t from_a = i <= a.size() ? a[a.size() - i] : 1;
    const int64_t from_b = i <= b.size() ? b[b.size() - i] : 1;
    c.want(from_a == from_b || from_a == 1 || from_b == 1, [&] {
      return "a is " + to_string(c.in(0)) + ", b is " + to_string(c.in(1)) +
             ", want extents that are equal or 1";
    });
    y[y.size() - i] = std::max(from_a, from_b);
  }
  return y;
}

Shape batch_matmul(const Case& c) {
  const auto& m = c.op.as<BatchMatmul>();
  const Shape &a = c.in(0), &b = c.in(1);
  c.want(a.size() >= 2 && b.size() >= 2, [&] {
    return "a is " + to_string(a) + ", b is " + to_string(b) + ", want matrices: at least 2 axes";
  });
  const auto axis = [](const Shape& shape, size_t back) { return shape[shape.size() - back]; };
  const int64_t terms = axis(a, m.transpose_a ? 2 : 1), wanted = axis(b, m.transpose_b ? 1 : 2);
  c.want(terms == wanted, [&] {
    return "a is " + to_string(a) + (m.transpose_a ? " transposed" : "") + ", b is " +
           to_string(b) + (m.transpose_b ? " transposed" : "") + ": rows of a have " + text(terms) +
           " values, columns of b " + text(wanted) + ", want as many";
  });
  Shape y = broadcast(c, Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2));
  y.push_back(axis(a, m.transpose_a ? 1 : 2));
  y.push_back(axis(b, m.transpose_b ? 2 : 1));
  return y;
}

Shape pool2d(const Case& c) {
  const auto& a = c.op.as<Pool2d>();
  c.want_rank(0, 4);
  const auto [h, w] = window(c, a, a.kernel_h, a.kernel_w, 1, 1);
  return {c.in(0)[0], h, w, c.in(0)[3]};
}

Shape mean(const Case& c) {
  const auto& a = c.op.as<Mean>();
  const Shape& x = c.in(0);
  std::vector<bool> gone(x.size(), false);
  int64_t previous = -1;
  for (int64_t axis : a.axes) {
    c.want(axis > previous && axis < static_cast<int64_t>(x.size()), [&] {
      return "axes are " + to_string(a.axes) + ", want ascending axes of x " + to_string(x);
    });
    gone[static_cast<size_t>(axis)] = true;
    previous = axis;
  }
  Shape y;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!gone[i]) {
      y.push_back(x[i]);
    } else if (a.keep_dims) {
      y.push_back(1);
    }
  }
  return y;
}

Shape same(const Case& c) {
  return c.in(0);
}

Shape softmax(const Case& c) {
  c.want(!c.in(0).empty(), "x is a scalar, wants at least one axis");
  return c.in(0);
}

Shape lut(const Case& c) {
  c.want(c.in(1) == Shape{256}, [&] {
    return "table is " + to_string(c.in(1)) + ", wants [256], one entry per value of x";
  });
  return c.in(0);
}

Shape reshape(const Case& c) {
  c.want(elements(c.stated()) == elements(c.in(0)), [&] {
    return "y is " + to_string(c.stated()) + ", wants as many elements as x " + to_string(c.in(0));
  });
  return c.stated();
}

Shape concat(const Case& c) {
  const auto& a = c.op.as<Concat>();
  Shape y = c.in(0);
  c.want(a.axis >= 0 && static_cast<size_t>(a.axis) < y.size(),
         [&] { return "axis is " + text(a.axis) + ", wants an axis of " + to_string(y); });
  const size_t axis = static_cast<size_t>(a.axis);
  for (size_t i = 1; i < c.op.inputs.size(); ++i) {
    Shape x = c.in(i);
    c.want(x.size() == y.size(), [&] {
      return "inputs are " + to_string(c.in(0)) + " and " + to_string(x) + ", want the same rank";
    });
    y[axis] += x[axis];
    x[axis] = y[axis];
    c.want(x == y, [&] {
      return "inputs are " + to_string(c.in(0)) + " and " + to_string(c.in(i)) +
             ", want equal extents but for axis " + text(a.axis);
    });
  }
  return y;
}

Shape interleave(const Case& c) {
  const auto& a = c.op.as<Interleave>();
  const auto count = static_cast<int64_t>(c.op.inputs.size());
  c.want(a.stride_h >= 1 && a.stride_w >= 1 && int64_t{a.stride_h} * a.stride_w == count, [&] {
    return "strides are " + text(a.stride_h) + " and " + text(a.stride_w) + ", want a product of " +
           text(count) + ", the number of inputs";
  });
  for (size_t i = 0; i < c.op.inputs.size(); ++i) {
    c.want(c.in(i).size() == 4, [&] {
      return "input " + text(static_cast<int64_t>(i)) + " is " + to_string(c.in(i)) +
             ", wants rank 4";
    });
  }
  const auto columns = static_cast<size_t>(a.stride_w);
  Shape y = {c.in(0)[0], 0, 0, c.in(0)[3]};
  for (size_t i = 0; i < c.op.inputs.size(); i += columns) y[1] += c.in(i)[1];
  for (size_t j = 0; j < columns; ++j) y[2] += c.in(j)[2];
  for (size_t i = 0; i < c.op.inputs.size(); ++i) {
    const int64_t row = static_cast<int64_t>(i / columns),
                  column = static_cast<int64_t>(i % columns);
    const Shape wanted = {y[0], (y[1] - row + a.stride_h - 1) / a.stride_h,
                          (y[2] - column + a.stride_w - 1) / a.stride_w, y[3]};
    c.want(c.in(i) == wanted, [&] {
      return "input " + text(static_cast<int64_t>(i)) + " is " + to_string(c.in(i)) + ", wants " +
             to_string(wanted) + ", its pixels of y " + to_string(y);
    });
  }
  return y;
}

Shape pad(const Case& c) {
  const auto& a = c.op.as<Pad>();
  Shape y = c.in(0);
  c.want(a.before.size() == y.size() && a.after.size() == y.size(), [&] {
    return "before is " + to_string(a.before) + ", after is " + to_string(a.after) +
           ", want one entry per axis of x " + to_string(y);
  });
  for (size_t i = 0; i < y.size(); ++i) {
    c.want(a.before[i] >= 0 && a.after[i] >= 0 && a.before[i] < (1 << 24) && a.after[i] < (1 << 24),
           [&] {
             return "padding is " + to_string(a.before) + " and " + to_string(a.after) +
                    ", wants 0 or more";
           });
    y[i] += a.before[i] + a.after[i];
  }
  return y;
}

Shape transpose(const Case& c) {
  const auto& perm = c.op.as<Transpose>().perm;
  Shape sorted = perm;
  std::sort(sorted.begin(), sorted.end());
  bool whole = perm.size() == c.in(0).size();
  for (size_t i = 0; i < sorted.size(); ++i) whole = whole && sorted[i] == static_cast<int64_t>(i);
  c.want(whole, [&] {
    return "perm is " + to_string(perm) + ", wants every axis of x " + to_string(c.in(0)) + " once";
  });
  Shape y;
  for (int64_t axis : perm) y.push_back(c.in(0)[static_cast<size_t>(axis)]);
  return y;
}

Shape strided_slice(const Case& c) {
  const auto& a = c.op.as<StridedSlice>();
  const Shape& x = c.in(0);
  c.want(a.begin.size() == x.size() && a.size.size() == x.size() && a.step.size() == x.size(),
         [&] { return "begin, size and step want one entry per axis of x " + to_string(x); });
  for (size_t i = 0; i < x.size(); ++i) {
    const bool small =
        a.size[i] >= 1 && a.size[i] <= x[i] && a.step[i] >= -x[i] && a.step[i] <= x[i];
    const int64_t last = small ? a.begin[i] + (a.size[i] - 1) * a.step[i] : -1;
    c.want(small && a.begin[i] >= 0 && a.begin[i] < x[i] && last >= 0 && last < x[i], [&] {
      return "axis " + text(static_cast<int64_t>(i)) + " takes " + text(a.size[i]) + " from " +
             text(a.begin[i]) + " by " + text(a.step[i]) + ", wants to stay in 0.." +
             text(x[i] - 1);
    });
  }
  const auto without_ones = [](Shape shape) {
    shape.erase(std::remove(shape.begin(), shape.end(), 1), shape.end());
    return shape;
  };
  c.want(without_ones(c.stated()) == without_ones(a.size), [&] {
    return "y is " + to_string(c.stated()) + ", wants size " + to_string(a.size) +
           " but for axes of 1";
  });
  return c.stated();
}

Shape resize(const Case& c) {
  c.want_rank(0, 4);
  const Shape& x = c.in(0);
  const Shape& y = c.stated();
  c.want(y.size() == 4 && y[0] == x[0] && y[3] == x[3], [&] {
    return "y is " + to_string(y) + ", wants batch and channels of x " + to_string(x);
  });
  return y;
}

}  // namespace

int64_t window_extent(int64_t in, int64_t kernel, int64_t stride, int64_t dilation, int64_t before,
                      int64_t after) {
  const int64_t room = before + in + after - ((kernel - 1) * dilation + 1);
  return room < 0 ? 0 : room / stride + 1;
}

std::vector<Shape> infer_shapes(const Graph& graph, const Op& op) {
  const Case c{graph, op};
  switch (op.kind) {
    case OpKind::kConv2d:
      return {conv2d(c)};
    case OpKind::kDepthwiseConv2d:
      return {depthwise_conv2d(c)};
    case OpKind::kTransposeConv2d:
      return {transpose_conv2d(c)};
    case OpKind::kFullyConnected:
      return {fully_connected(c)};
    case OpKind::kBatchMatmul:
      return {batch_matmul(c)};
    case OpKind::kLstm:
      return lstm(c);
    case OpKind::kAdd:
    case OpKind::kSub:
    case OpKind::kMul:
      return {broadcast(c, c.in(0), c.in(1))};
    case OpKind::kAveragePool2d:
    case OpKind::kMaxPool2d:
      return {pool2d(c)};
    case OpKind::kMean:
      return {mean(c)};
    case OpKind::kSoftmax:
      return {softmax(c)};
    case OpKind::kRelu:
    case OpKind::kRelu6:
    case OpKind::kLeakyRelu:
    case OpKind::kHardSwish:
    case OpKind::kLogistic:
    case OpKind::kTanh:
    case OpKind::kQuantize:
    case OpKind::kDequantize:
      return {same(c)};
    case OpKind::kLut:
      return {lut(c)};
    case OpKind::kReshape:
      return {reshape(c)};
    case OpKind::kConcat:
      return {concat(c)};
    case OpKind::kInterleave:
      return {interleave(c)};
    case OpKind::kPad:
      return {pad(c)};
    case OpKind::kTranspose:
      return {transpose(c)};
    case OpKind::kStridedSlice:
      return {strided_slice(c)};
    case OpKind::kResizeNearest:
    case OpKind::kResizeBilinear:
      return {resize(c)};
    case OpKind::kYoloDecode:
      return {yolo_decode(c)};
    case OpKind::kNms:
      return nms(c);
    case OpKind::kDetectionPostProcess:
      return detection_post_process(c);
  }
  throw std::logic_error("ir: verify lets a kind of op pass that does not exist");
}

}  // namespace presil::ir
