#include "compiler_bridge/ir/by_image.h"

#include <algorithm>

#include "compiler_bridge/ir/by_value.h"

namespace presil::ir {
namespace {

using K = OpKind;

/// One op: what its operands are along the first axis.
class Finder {
 public:
  Finder(const Graph& graph, const Op& op) : m_graph(graph), m_op(op) {
    m_found.of_image.assign(op.inputs.size(), false);
  }

  std::optional<ByImage> find() {
    if (m_op.outputs.empty() || y().shape.empty()) return std::nullopt;
    m_found.images = y().shape[0];
    for (const TensorId id : m_op.outputs) {
      const std::vector<int64_t>& shape = m_graph.tensor(id).shape;
      if (shape.empty() || shape[0] != m_found.images) return std::nullopt;
    }
    return operands() ? std::optional<ByImage>(m_found) : std::nullopt;
  }

 private:
  const Tensor& y() const { return m_graph.tensor(m_op.output()); }
  const Tensor& in(size_t i) const { return m_graph.tensor(m_op.inputs[i]); }
  bool has(size_t i) const { return m_op.input(i) != kAbsent; }

  /// Operand i has images.
  bool image(size_t i) {
    if (!has(i) || in(i).shape.empty() || in(i).shape[0] != m_found.images) return false;
    m_found.of_image[i] = true;
    return true;
  }
  /// Operand i stretches to y as in numpy: it has images, or each reads the whole.
  bool stretched(size_t i) {
    const std::vector<int64_t>& shape = in(i).shape;
    if (shape.size() < y().shape.size()) return true;
    if (m_found.images == 1 && in(i).is_constant()) return true;
    return shape[0] == m_found.images ? image(i) : shape[0] == 1;
  }
  bool all(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      if (!image(i)) return false;
    }
    return true;
  }
  bool any() const {
    return std::count(m_found.of_image.begin(), m_found.of_image.end(), true) != 0;
  }
  bool by_value() {
    for (size_t i = 0; i < m_op.inputs.size(); ++i) {
      if (!stretched(i)) return false;
    }
    return any();
  }
  bool along_last_axis() { return y().shape.size() >= 2 && image(0); }

  bool operands();
  bool moves();
  bool rows();
  bool matrices();
  bool gathered();

  const Graph& m_graph;
  const Op& m_op;
  ByImage m_found;
};

/// A fully connected layer: whole rows in each image.
bool Finder::rows() {
  if (y().shape.size() < 2 || !image(0)) return false;
  return in(0).elements() / m_found.images % in(1).shape[1] == 0;
}

bool Finder::matrices() {
  if (y().shape.size() < 3) return false;
  return stretched(0) && stretched(1) && any();
}

bool Finder::gathered() {
  const auto& g = m_op.as<Gather>();
  if (g.batch_dims != 0) return false;
  return g.axis > 0 ? image(0) : in(0).is_constant() && image(1);
}

/// What only moves values.
bool Finder::moves() {
  switch (m_op.kind) {
    case K::kReshape:
      return image(0);
    case K::kConcat:
      return m_op.as<Concat>().axis != 0 && all(m_op.inputs.size());
    case K::kInterleave:
      return all(m_op.inputs.size());
    case K::kPad:
      return m_op.as<Pad>().before[0] + m_op.as<Pad>().after[0] == 0 && image(0);
    case K::kMirrorPad:
      return m_op.as<MirrorPad>().before[0] + m_op.as<MirrorPad>().after[0] == 0 && image(0);
    case K::kTile:
      return m_op.as<Tile>().multiples[0] == 1 && image(0);
    case K::kTranspose:
      return m_op.as<Transpose>().perm[0] == 0 && image(0);
    case K::kStridedSlice: {
      const auto& s = m_op.as<StridedSlice>();
      return s.begin[0] == 0 && s.step[0] == 1 && s.size[0] == in(0).shape[0] && image(0);
    }
    case K::kGather:
      return gathered();
    default:
      return false;
  }
}

bool Finder::operands() {
  switch (m_op.kind) {
    case K::kConv2d:
    case K::kDepthwiseConv2d:
    case K::kAveragePool2d:
    case K::kMaxPool2d:
    case K::kResizeNearest:
    case K::kResizeBilinear:
    case K::kSpaceToDepth:
    case K::kDepthToSpace:
    case K::kConvSums:
    case K::kMeanPool:
    case K::kResizeByRatio:
    case K::kTableBetween:
    case K::kLeadingZeros:
      return image(0);
    case K::kTransposeConv2d:
      // Rows of 16 values go on from image to image.
      return m_op.as<TransposeConv2d>().vector != 16 && image(0);
    case K::kSoftmax:
    case K::kLogSoftmax:
    case K::kL2Normalize:
    case K::kLayerNorm:
    case K::kTopK:
      return along_last_axis();
    case K::kLut:
      return image(0);
    case K::kPrelu:
      return image(0) && (in(1).shape.size() < y().shape.size() || in(1).shape[0] == 1);
    case K::kRescale:  // by channel: of the last axis
      return (y().shape.size() >= 2 || in(1).elements() == 1) && image(0);
    case K::kMatmulSums:
    case K::kScatter:
      return all(m_op.inputs.size());
    case K::kMulShift:
    case K::kIntDiv:
    case K::kShiftLeft:
    case K::kShiftRight:
    case K::kShiftRightLogical:
    case K::kBitwiseAnd:
    case K::kBitwiseOr:
    case K::kBitwiseXor:
      return by_value();
    case K::kFullyConnected:
      return rows();
    case K::kBatchMatmul:
      return matrices();
    case K::kMean:
    case K::kSum:
    case K::kReduceProd:
    case K::kReduceMax:
    case K::kReduceMin: {
      const std::vector<int64_t>& axes = m_op.as<Reduce>().axes;
      return std::count(axes.begin(), axes.end(), 0) == 0 && image(0);
    }
    case K::kArgMax:
    case K::kArgMin:
      return m_op.as<Arg>().axis != 0 && image(0);
    case K::kCumsum:
      return m_op.as<Cumsum>().axis != 0 && image(0);
    case K::kLstm:  // and its state, h and c
      return !m_op.as<Lstm>().time_major && image(0) && (!has(13) || image(13)) &&
             (!has(14) || image(14));
    case K::kSvdf:
      return image(0) && (!has(4) || image(4));
    default:
      return is_by_value(m_op.kind) ? by_value() : moves();
  }
}

}  // namespace

std::optional<ByImage> by_image(const Graph& graph, const Op& op) {
  return Finder(graph, op).find();
}

Op of_images(Op op, int64_t images) {
  if (op.kind == K::kStridedSlice) op.as<StridedSlice>().size[0] = images;
  return op;
}

}  // namespace presil::ir
