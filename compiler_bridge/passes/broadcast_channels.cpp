// One value a pixel that meets all channels of that pixel is written out by a 1x1 convolution.
//
//   before   y = mul(x, s)    [1,16,16,24], [1,16,16,1]   after   b = conv2d(s, w)  [1,16,16,24]
//                                                                 y = mul(x, b)
//
// Why: the DLA takes sums, differences and products of operands of one shape, 16 channels a cycle;
// what is broadcast along the channels only the DSP and the host compute, at 1 to 5 cycles an
// element. The product by the weight 1 of scale 1 is exact. Norms of channels are written so.
#include <array>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;
using Shape = std::vector<int64_t>;

/// Two lanes of 16 channels: of fewer pixels the convolution saves nothing.
constexpr int64_t kFewestPixels = 2;

bool is_quantised(const ir::Tensor& t) {
  return t.dtype == ir::DType::kInt8 && t.quantization.present() && t.quantization.per_tensor();
}

bool is_image(const Shape& shape) {
  return shape.size() >= 2 && !is_batch(shape);
}

/// y's shape with one channel, axes of 1 in front left out or not.
bool is_one_channel(const Shape& x, const Shape& y) {
  if (x.size() > y.size() || x.back() != 1) return false;
  const size_t absent = y.size() - x.size();
  for (size_t i = 0; i + 1 < y.size(); ++i) {
    if ((i < absent ? 1 : x[i - absent]) != y[i]) return false;
  }
  return true;
}

/// As many elements as y's last axis, all of one pixel.
bool is_one_pixel(const ir::Tensor& x, const Shape& y) {
  return x.elements() == y.back() && !x.shape.empty() && x.shape.back() == y.back();
}

bool joins_two(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind != K::kAdd && op.kind != K::kSub && op.kind != K::kMul) return false;
  const ir::Tensor& y = graph.tensor(op.output());
  if (!is_image(y.shape) || y.shape.back() < 2) return false;
  if (y.elements() / y.shape.back() < kFewestPixels) return false;
  return is_quantised(y) && is_quantised(graph.tensor(op.input(0))) &&
         is_quantised(graph.tensor(op.input(1)));
}

/// Operands that have one channel; none where the DLA would not take the operator then either.
std::vector<size_t> narrow(const ir::Graph& graph, const ir::Op& op) {
  const Shape& y = graph.tensor(op.output()).shape;
  std::vector<size_t> found;
  for (const size_t i : {size_t{0}, size_t{1}}) {
    const ir::Tensor &x = graph.tensor(op.input(i)), &other = graph.tensor(op.input(1 - i));
    if (x.is_constant() || !is_one_channel(x.shape, y)) continue;
    const bool reads = other.is_constant() || other.shape == y || is_one_pixel(other, y) ||
                       !found.empty() || is_one_channel(other.shape, y);
    if (reads) found.push_back(i);
  }
  // TFLite's difference goes through the DLA by what is subtracted from.
  const bool first = found.size() == 1 && found[0] == 1 && op.kind == K::kSub;
  if (first && graph.tensor(op.input(0)).shape != y) found.clear();
  return found;
}

/// Tensors that are written out already, by what they were.
struct Wide {
  ir::TensorId of, is;
  int64_t channels;
};

class Broadcast {
 public:
  explicit Broadcast(ir::Graph& graph) : m_graph(graph) {}

  /// The ops that take the place of `op`, itself last.
  std::vector<ir::Op> run(ir::Op op, const std::vector<size_t>& operands) {
    std::vector<ir::Op> ops;
    const Shape y = m_graph.tensor(op.output()).shape;
    for (const size_t i : operands) op.inputs[i] = wide(op, op.input(i), y, ops);
    ops.push_back(std::move(op));
    return ops;
  }

 private:
  ir::TensorId wide(const ir::Op& op, ir::TensorId x, const Shape& y, std::vector<ir::Op>& ops) {
    for (const Wide& made : m_made) {
      if (made.of == x && made.channels == y.back()) return made.is;
    }
    ir::Tensor tensor = m_graph.tensor(x);
    const ir::Tensor narrow = tensor;
    const bool image = narrow.shape.size() == 4;
    tensor.name += "/channels";
    tensor.shape.back() = y.back();
    const ir::TensorId result = m_graph.add(std::move(tensor));
    ir::Op conv{image ? K::kConv2d : K::kFullyConnected,
                op.name,
                {x, ones(narrow, y.back())},
                {result},
                ir::Attributes{},
                op.source_ops};
    if (image) {
      conv.attributes = ir::Conv2d{};
    } else {
      conv.attributes = ir::FullyConnected{};
    }
    ops.push_back(std::move(conv));
    m_made.push_back({x, result, y.back()});
    return result;
  }

  ir::TensorId ones(const ir::Tensor& x, int64_t channels) {
    ir::Tensor w;
    w.name = x.name + "/ones";
    w.dtype = ir::DType::kInt8;
    w.shape = x.shape.size() == 4 ? Shape{channels, 1, 1, 1} : Shape{channels, 1};
    w.quantization.scales = {1.0F};
    w.quantization.zero_points = {0};
    w.data = std::make_shared<const ir::Bytes>(static_cast<size_t>(channels), uint8_t{1});
    return m_graph.add(std::move(w));
  }

  ir::Graph& m_graph;
  std::vector<Wide> m_made;
};

}  // namespace

int broadcast_channels(ir::Graph& graph) {
  int done = 0;
  Broadcast broadcast(graph);
  std::vector<ir::Op> ops;
  for (const ir::Op& op : graph.ops) {
    const std::vector<size_t> operands =
        joins_two(graph, op) ? narrow(graph, op) : std::vector<size_t>{};
    if (operands.empty()) {
      ops.push_back(op);
      continue;
    }
    for (ir::Op& made : broadcast.run(op, operands)) ops.push_back(std::move(made));
    ++done;
  }
  if (done != 0) graph.ops = std::move(ops);
  return done;
}

}  // namespace presil::passes
