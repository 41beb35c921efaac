// What a shape rule sees, for the files that hold the rules.
#pragma once

#include <string>

#include "compiler_bridge/ir/shape.h"
#include "models/base/refusal.h"

namespace presil::ir::shapes {

/// One op with its input shapes at hand.
struct Case {
  const Graph& graph;
  const Op& op;

  const Shape& in(size_t i) const { return graph.tensor(op.inputs.at(i)).shape; }
  bool has(size_t i) const { return op.input(i) != kAbsent; }
  const Shape& stated() const { return graph.tensor(op.output()).shape; }
  void require(bool ok, const char* what) const {
    require(ok, [&] { return what; });
  }
  /// The sentence is put together only when it is said.
  template <class What>
  auto require(bool ok, const What& what) const -> decltype(what(), void()) {
    if (!ok) throw Refusal("ir", describe(graph, op) + ": " + what());
  }
  void require_rank(size_t i, size_t rank) const {
    require(in(i).size() == rank, [&] {
      return info(op.kind).inputs[i] + " is " + to_string(in(i)) + ", must have rank " +
             std::to_string(rank);
    });
  }
};

inline std::string text(int64_t value) {
  return std::to_string(value);
}

void require_bias(const Case& c, int64_t channels);
/// As in numpy.
Shape broadcast(const Case& c, const Shape& a, const Shape& b);

// The rules that op_kinds.h names. Of one result, its shape; of several, all of them.
// shape_window.cpp
Shape conv2d(const Case& c);
Shape depthwise_conv2d(const Case& c);
Shape transpose_conv2d(const Case& c);
Shape pool2d(const Case& c);
Shape resize(const Case& c);
// shape_product.cpp
Shape fully_connected(const Case& c);
Shape batch_matmul(const Case& c);
std::vector<Shape> lstm(const Case& c);
// shape_function.cpp
Shape elementwise(const Case& c);
Shape same(const Case& c);
Shape reduce(const Case& c);
Shape arg(const Case& c);
Shape prelu(const Case& c);
Shape softmax(const Case& c);
Shape layer_norm(const Case& c);
Shape lut(const Case& c);
std::vector<Shape> top_k(const Case& c);
// shape_move.cpp
Shape reshape(const Case& c);
Shape concat(const Case& c);
Shape interleave(const Case& c);
Shape pad(const Case& c);
Shape transpose(const Case& c);
Shape strided_slice(const Case& c);
// shape_block.cpp
Shape space_to_depth(const Case& c);
Shape depth_to_space(const Case& c);
Shape space_to_batch(const Case& c);
Shape batch_to_space(const Case& c);
// shape_index.cpp
Shape tile(const Case& c);
Shape mirror_pad(const Case& c);
Shape gather(const Case& c);
Shape gather_nd(const Case& c);
Shape select(const Case& c);
Shape one_hot(const Case& c);
// shape_detection.cpp
Shape yolo_decode(const Case& c);
std::vector<Shape> nms(const Case& c);
std::vector<Shape> detection_post_process(const Case& c);
Shape box_decode(const Case& c);
// custom.cpp
std::vector<Shape> custom(const Case& c);

}  // namespace presil::ir::shapes
