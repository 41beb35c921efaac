// Random sound graphs, for properties that every graph must have. Seeded: a number is a graph.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "compiler_bridge/ir/shape.h"

namespace presil::ir {

class RandomGraph {
 public:
  explicit RandomGraph(uint32_t seed) : m_random(seed) {}

  Graph make() {
    m_graph.name = "random \"" + std::to_string(pick(0, 999)) + "\"\n";
    m_graph.numerics = pick(0, 1) == 0 ? Numerics::kTflite : Numerics::kXnnpack;
    const TensorId input = tensor({1, pick(1, 9), pick(1, 9), pick(1, 7)});
    m_graph.inputs = {input};
    m_images = {input};
    const int count = pick(1, 12);
    for (int i = 0; i < count; ++i) append();
    m_graph.outputs = {m_images.back()};
    return m_graph;
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
  float real() { return std::uniform_real_distribution<float>(0.001f, 0.9f)(m_random); }
  TensorId image() {
    return m_images[static_cast<size_t>(pick(0, static_cast<int>(m_images.size()) - 1))];
  }

  TensorId tensor(Shape shape) {
    Tensor t;
    if (pick(0, 3) != 0) t.name = "t" + std::to_string(m_graph.tensors.size());
    t.shape = std::move(shape);
    t.quantization = {{real()}, {pick(-128, 127)}, -1};
    return m_graph.add(t);
  }
  TensorId constant(DType dtype, Shape shape, Quantization q) {
    Tensor t;
    t.name = "c/" + std::to_string(m_graph.tensors.size());
    t.dtype = dtype;
    t.shape = std::move(shape);
    t.quantization = std::move(q);
    Bytes bytes(t.bytes());
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(pick(0, 255));
    t.data = std::make_shared<const Bytes>(bytes);
    return m_graph.add(t);
  }
  Quantization per_channel(int64_t count, int axis) {
    Quantization q;
    q.axis = axis;
    for (int64_t i = 0; i < count; ++i) q.scales.push_back(real()), q.zero_points.push_back(0);
    return q;
  }

  void finish(Op op) {
    op.outputs = {kAbsent};
    op.outputs[0] = tensor({1});  // its shape follows
    const std::vector<Shape> shapes = infer_shapes(m_graph, op);
    m_graph.tensor(op.outputs[0]).shape = shapes[0];
    op.name = pick(0, 2) == 0 ? "op name" : m_graph.tensor(op.outputs[0]).name;
    if (pick(0, 1) == 0) op.source_ops = {pick(0, 50), pick(0, 50)};
    m_images.push_back(op.outputs[0]);
    m_graph.add(op);
  }

  void append() {
    const TensorId x = image();
    const Shape shape = m_graph.tensor(x).shape;
    const auto act = static_cast<Activation>(pick(0, 3));
    Op op;
    switch (pick(0, 6)) {
      case 0: {
        Conv2d a;
        const int kernel = pick(1, 3), out = pick(1, 6);
        a.pad_top = a.pad_bottom = a.pad_left = a.pad_right = kernel - 1;
        a.stride_h = pick(1, 2), a.act = act;
        op = {OpKind::kConv2d, "", {x}, {}, a, {}};
        op.inputs.push_back(
            constant(DType::kInt8, {out, kernel, kernel, shape[3]}, per_channel(out, 0)));
        if (pick(0, 1) == 0) op.inputs.push_back(constant(DType::kInt32, {out}, {}));
        return finish(op);
      }
      case 1: {
        DepthwiseConv2d a;
        a.multiplier = pick(1, 2), a.act = act;
        const int64_t out = shape[3] * a.multiplier;
        op = {OpKind::kDepthwiseConv2d, "", {x}, {}, a, {}};
        op.inputs.push_back(constant(DType::kInt8, {1, 1, 1, out}, per_channel(out, 3)));
        op.inputs.push_back(pick(0, 1) == 0 ? kAbsent : constant(DType::kInt32, {out}, {}));
        return finish(op);
      }
      case 2:
        return finish({OpKind::kAdd, "", {x, x}, {}, Elementwise{act}, {}});
      case 3:
        return finish({OpKind::kLeakyRelu, "", {x}, {}, LeakyRelu{real()}, {}});
      case 4:
        return finish({OpKind::kConcat, "", {x, x, x}, {}, Concat{pick(1, 3), act}, {}});
      case 5:
        return finish({OpKind::kMean, "", {x}, {}, Reduce{{1, 2}, true}, {}});
      default:
        return finish({OpKind::kSoftmax, "", {x}, {}, Softmax{real()}, {}});
    }
  }

  std::mt19937 m_random;
  Graph m_graph;
  std::vector<TensorId> m_images;
};

}  // namespace presil::ir
