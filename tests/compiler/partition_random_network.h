// Random networks, of the operators that compilers meet, with scales that keep results in range.
// Seeded: a number is a network.
#pragma once

#include <random>

#include "compiler_bridge/ir/shape.h"

namespace presil::partition {

class RandomNetwork {
 public:
  /// @param side, channels  the largest extents of an input; outputs of convolutions have at most
  /// as
  ///                        many channels
  explicit RandomNetwork(uint32_t seed, int side = 9, int channels = 20)
      : m_side(side), m_channels(channels), m_random(seed) {}

  ir::Graph make() {
    m_graph.name = "random";
    m_graph.numerics = pick(0, 1) == 0 ? ir::Numerics::kTflite : ir::Numerics::kXnnpack;
    m_graph.inputs = {tensor({1, pick(1, m_side), pick(1, m_side), pick(1, m_channels)}, scale())};
    m_images = m_graph.inputs;
    for (int i = pick(2, 12); i > 0; --i) append();
    m_graph.outputs = {m_images.back()};
    if (pick(0, 2) == 0) add_output(m_images[m_images.size() / 2]);
    return m_graph;
  }

 private:
  using K = ir::OpKind;
  using Shape = std::vector<int64_t>;

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
  float scale() { return std::uniform_real_distribution<float>(0.02f, 0.2f)(m_random); }
  ir::Activation act() { return static_cast<ir::Activation>(pick(0, 3)); }

  ir::TensorId tensor(Shape shape, float s) {
    ir::Tensor t;
    t.name = "t" + std::to_string(m_graph.tensors.size());
    t.shape = std::move(shape);
    t.quantization = {{s}, {pick(-40, 40)}, -1};
    return m_graph.add(std::move(t));
  }
  ir::TensorId constant(ir::DType dtype, Shape shape, ir::Quantization q) {
    ir::Tensor t;
    t.name = "c" + std::to_string(m_graph.tensors.size());
    t.dtype = dtype;
    t.shape = std::move(shape);
    t.quantization = std::move(q);
    ir::Bytes bytes(t.bytes());
    for (size_t i = 0; i < bytes.size(); ++i) {
      // A bias of 13 bits or so: its upper bytes are those of a small number.
      const bool sign = dtype == ir::DType::kInt32 && i % 4 >= 2;
      bytes[i] = sign ? 0 : static_cast<uint8_t>(pick(0, dtype == ir::DType::kInt32 ? 31 : 255));
    }
    t.data = std::make_shared<const ir::Bytes>(std::move(bytes));
    return m_graph.add(std::move(t));
  }
  ir::TensorId weights(Shape shape, int axis) {
    ir::Quantization q{{}, {}, axis};
    const int64_t count = pick(0, 2) == 0 ? 1 : shape[static_cast<size_t>(axis)];
    if (count == 1) q.axis = -1;
    for (int64_t i = 0; i < count; ++i) {
      q.scales.push_back(scale() / 10);
      q.zero_points.push_back(count == 1 && pick(0, 1) == 0 ? pick(-128, 127) : 0);
    }
    return constant(ir::DType::kInt8, std::move(shape), std::move(q));
  }

  // An older result now and then, mostly the newest.
  ir::TensorId image() {
    const auto last = static_cast<int>(m_images.size()) - 1;
    return m_images[static_cast<size_t>(pick(0, 2) == 0 ? pick(0, last) : last)];
  }
  const Shape& shape(ir::TensorId id) const { return m_graph.tensor(id).shape; }

  // @param keep  the result has x's quantisation
  void finish(ir::Op op, bool keep, const Shape* stated = nullptr) {
    op.outputs = {tensor(stated != nullptr ? *stated : Shape{1}, scale())};
    ir::Tensor& y = m_graph.tensor(op.outputs[0]);
    if (keep) y.quantization = m_graph.tensor(op.inputs[0]).quantization;
    if (stated == nullptr) y.shape = ir::infer_shapes(m_graph, op)[0];
    op.name = y.name;
    op.source_ops = {static_cast<int>(m_graph.ops.size())};
    m_images.push_back(op.outputs[0]);
    m_graph.add(std::move(op));
  }
  void add_output(ir::TensorId id) {
    if (m_graph.producer(id) >= 0 && !m_graph.is_output(id)) m_graph.outputs.push_back(id);
  }

  void append() {
    const ir::TensorId x = image();
    const int64_t h = shape(x)[1], w = shape(x)[2], c = shape(x)[3];
    switch (pick(0, 18)) {
      case 0:
      case 1:
        return convolution(x, c);
      case 2:
        return depthwise(x, c);
      case 3:
      case 4:
        return finish({K::kLeakyRelu, "", {x}, {}, ir::LeakyRelu{0.1f}, {}}, pick(0, 1) == 0);
      case 5:
        return finish({pick(0, 1) == 0 ? K::kRelu : K::kTanh, "", {x}, {}, ir::None{}, {}}, true);
      case 6:
      case 7:
        return elementwise(x);
      case 8:
        return pool(x, h, w);
      case 9: {
        const ir::TensorId other = same_rows(x);
        return finish({K::kConcat, "", {x, other}, {}, ir::Concat{3, {}}, {}}, pick(0, 2) != 0);
      }
      case 10: {
        const Shape doubled = {1, 2 * h, 2 * w, c};
        if (h * w > 100) return convolution(x, c);
        return finish({K::kResizeNearest, "", {x}, {}, ir::Resize{}, {}}, true, &doubled);
      }
      case 11:
        return depthwise(x, c);
      case 12:
        return pick(0, 1) == 0 ? mean(x) : depthwise(x, c);
      case 13:
        if (h * w > 100) return depthwise(x, c);
        return finish({K::kPad, "", {x}, {}, margin(), {}}, true);
      case 14:
        if (h * w > 100) return convolution(x, c);
        return transpose_convolution(x, c);
      case 15:
        if (h * w * c > 2000) return depthwise(x, c);
        return join(x, pick(1, 3));
      case 16:
        return slice(x);
      case 17:
        return transpose(x);
      default:
        return dense(x, h * w * c);
    }
  }

  // Of images that differ along the axis alone.
  void join(ir::TensorId x, int axis) {
    std::vector<ir::TensorId> parts = {x};
    for (const ir::TensorId id : m_images) {
      Shape other = shape(id);
      other[static_cast<size_t>(axis)] = shape(x)[static_cast<size_t>(axis)];
      if (other == shape(x) && pick(0, 1) == 0) parts.push_back(id);
    }
    if (pick(0, 1) == 0) std::reverse(parts.begin(), parts.end());
    if (parts.size() > 4) parts.resize(4);
    finish({K::kConcat, "", parts, {}, ir::Concat{axis, {}}, {}}, pick(0, 2) != 0);
  }
  void transpose(ir::TensorId x) {
    std::vector<int64_t> perm = {0, 1, 2, 3};
    std::shuffle(perm.begin() + 1, perm.end(), m_random);
    finish({K::kTranspose, "", {x}, {}, ir::Transpose{perm}, {}}, true);
  }
  // Of every axis some, every so many.
  void slice(ir::TensorId x) {
    ir::StridedSlice a;
    for (const int64_t extent : shape(x)) {
      const bool whole = extent == 1 || pick(0, 1) == 0;
      const int64_t begin = whole ? 0 : pick(0, static_cast<int>(extent) - 1);
      const int64_t most = extent - begin;
      const int64_t step = whole || most < 4 || pick(0, 1) == 0 ? 1 : pick(2, 3);
      const int64_t size = whole ? extent : pick(1, static_cast<int>(most / step));
      a.begin.push_back(begin), a.size.push_back(size), a.step.push_back(step);
    }
    const Shape size = a.size;
    finish({K::kStridedSlice, "", {x}, {}, a, {}}, true, &size);
  }

  void convolution(ir::TensorId x, int64_t c) {
    ir::Conv2d a;
    const int kernel = pick(1, 3);
    if (c > 1 && pick(0, 3) == 0) a.groups = c % 3 == 0 ? 3 : c % 2 == 0 ? 2 : 1;
    const int out = pick(1, m_channels / a.groups) * a.groups;
    a.dilation_h = a.dilation_w = pick(1, 2), a.stride_h = pick(1, 2), a.stride_w = pick(1, 2);
    const int reach = (kernel - 1) * a.dilation_h;
    a.pad_top = a.pad_left = reach, a.pad_bottom = a.pad_right = pick(0, reach), a.act = act();
    ir::Op op{K::kConv2d, "", {x}, {}, a, {}};
    op.inputs.push_back(weights({out, kernel, kernel, c / a.groups}, 0));
    if (pick(0, 1) == 0) op.inputs.push_back(constant(ir::DType::kInt32, {out}, {}));
    finish(std::move(op), false);
  }
  void transpose_convolution(ir::TensorId x, int64_t c) {
    ir::TransposeConv2d a;
    const int kernel_h = pick(1, 5), kernel_w = pick(1, 5);
    a.stride_h = pick(1, 3), a.stride_w = pick(1, 4), a.act = act();
    a.pad_top = pick(0, kernel_h - 1) / 2, a.pad_left = pick(0, kernel_w - 1) / 2;
    a.pad_bottom = pick(std::min(0, kernel_h - a.stride_h), (kernel_h - 1) / 2);
    a.pad_right = pick(std::min(0, kernel_w - a.stride_w), (kernel_w - 1) / 2);
    const int out = pick(1, m_channels);
    ir::Op op{K::kTransposeConv2d, "", {x}, {}, a, {}};
    op.inputs.push_back(weights({out, kernel_h, kernel_w, c}, 0));
    if (pick(0, 1) == 0) op.inputs.push_back(constant(ir::DType::kInt32, {out}, {}));
    finish(std::move(op), false);
  }
  void depthwise(ir::TensorId x, int64_t c) {
    ir::DepthwiseConv2d a;
    const int kernel_h = pick(1, 6), kernel_w = pick(1, 6);
    a.dilation_h = pick(1, 2), a.dilation_w = pick(1, 2);
    a.stride_h = pick(1, 3), a.stride_w = pick(1, 3);
    a.pad_top = (kernel_h - 1) * a.dilation_h, a.pad_left = (kernel_w - 1) * a.dilation_w;
    a.pad_bottom = pick(0, a.pad_top), a.pad_right = pick(0, a.pad_left), a.act = act();
    if (c <= 5 && pick(0, 1) == 0) a.multiplier = pick(2, 9);
    ir::Op op{K::kDepthwiseConv2d, "", {x}, {}, a, {}};
    op.inputs.push_back(weights({1, kernel_h, kernel_w, c * a.multiplier}, 3));
    if (pick(0, 1) == 0) op.inputs.push_back(constant(ir::DType::kInt32, {c * a.multiplier}, {}));
    finish(std::move(op), false);
  }
  ir::Pad margin() {
    ir::Pad a;
    a.before = {0, pick(0, 3), pick(0, 4), 0}, a.after = {0, pick(0, 9), pick(0, 3), 0};
    a.value = pick(-128, 127);
    return a;
  }
  void mean(ir::TensorId x) {
    finish({K::kMean, "", {x}, {}, ir::Reduce{{1, 2}, true}, {}}, pick(0, 2) == 0);
  }
  void elementwise(ir::TensorId x) {
    const K kinds[] = {K::kAdd, K::kAdd, K::kSub, K::kMul};
    std::vector<ir::TensorId> operands = {x, other_operand(x)};
    if (pick(0, 1) == 0) std::swap(operands[0], operands[1]);
    finish({kinds[pick(0, 3)], "", operands, {}, ir::Elementwise{act()}, {}}, false);
  }
  // Another image of x's shape, a pixel for all, or a constant that repeats along some axes.
  ir::TensorId other_operand(ir::TensorId x) {
    const int way = pick(0, 5);
    if (way == 0) {
      mean(x);
      return m_images.back();
    }
    if (way == 1) {
      Shape repeated = shape(x);
      for (int64_t& extent : repeated) extent = pick(0, 1) == 0 ? 1 : extent;
      if (pick(0, 1) == 0) repeated = {repeated.back()};
      return constant(ir::DType::kInt8, repeated, {{scale()}, {pick(-40, 40)}, -1});
    }
    ir::TensorId other = x;
    for (const ir::TensorId id : m_images) {
      if (shape(id) == shape(x) && pick(0, 1) == 0) other = id;
    }
    return other;
  }
  void pool(ir::TensorId x, int64_t h, int64_t w) {
    ir::Pool2d a;
    a.kernel_h = pick(1, static_cast<int>(std::min<int64_t>(h, 3)));
    a.kernel_w = pick(1, static_cast<int>(std::min<int64_t>(w, 3)));
    a.stride_h = pick(1, 2), a.stride_w = pick(1, 2), a.act = act();
    if (pick(0, 2) == 0) a.pad_top = a.kernel_h - 1, a.pad_right = a.kernel_w - 1;
    const bool average = pick(0, 1) == 0;
    a.ties_up = average && pick(0, 1) == 0;
    finish({average ? K::kAveragePool2d : K::kMaxPool2d, "", {x}, {}, a, {}}, true);
  }
  ir::TensorId same_rows(ir::TensorId x) {
    ir::TensorId found = x;
    for (const ir::TensorId id : m_images) {
      if (shape(id)[1] == shape(x)[1] && shape(id)[2] == shape(x)[2] && pick(0, 1) == 0) found = id;
    }
    return found;
  }
  // Flattened and back, so that what follows is an image again.
  void dense(ir::TensorId x, int64_t values) {
    const Shape row = {1, values}, image = {1, 1, 1, 6};
    const bool flat = pick(0, 1) == 0;
    if (flat) finish({K::kReshape, "", {x}, {}, ir::None{}, {}}, true, &row);
    const ir::TensorId in = m_images.back();
    if (flat) m_images.pop_back();
    ir::Op op{K::kFullyConnected, "", {flat ? in : x}, {}, ir::FullyConnected{act()}, {}};
    op.inputs.push_back(weights({6, values}, 0));
    const Shape out = {1, 6};
    finish(std::move(op), false, &out);
    const ir::TensorId y = m_images.back();
    m_images.pop_back();
    finish({K::kReshape, "", {y}, {}, ir::None{}, {}}, true, &image);
  }

  int m_side, m_channels;
  std::mt19937 m_random;
  ir::Graph m_graph;
  std::vector<ir::TensorId> m_images;
};

}  // namespace presil::partition
