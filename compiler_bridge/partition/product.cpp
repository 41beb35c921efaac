#include "compiler_bridge/partition/product.h"

#include <cstring>
#include <utility>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/rules/image.h"

namespace presil::partition {
namespace {

rules::Image image(const ir::Graph& graph, ir::TensorId id) {
  return *rules::image_of(graph.tensor(id));
}

void set_image(layer::DlaLayer& layer, const rules::Image& in, const rules::Image& out) {
  layer.in_h = static_cast<int>(in.h), layer.in_w = static_cast<int>(in.w);
  layer.in_c = static_cast<int>(in.c);
  layer.out_h = static_cast<int>(out.h), layer.out_w = static_cast<int>(out.w);
  layer.out_c = static_cast<int>(out.c);
}

/// Weights that are known: sum (x - zx) * (w - zw) = sum x * (w - zw) - zx * sum (w - zw).
void set_constant(layer::DlaLayer& layer, const ir::Tensor& b) {
  layer.weights = layer::Weights(b.data);
  const auto terms = static_cast<size_t>(layer.in_c);
  for (size_t k = 0; k < layer.bias.size(); ++k) {
    int64_t sum = 0;
    for (size_t c = 0; c < terms; ++c) sum += layer.weights[k * terms + c] - layer.weight_zero;
    const int64_t bias = layer.bias[k] - layer.in_zero * sum;
    layer.bias[k] = static_cast<int32_t>(static_cast<uint32_t>(bias));  // as the sums, it wraps
  }
  layer.in_zero = 0;
}

}  // namespace

layer::DlaLayer product(const ir::Graph& graph, const ir::Op& op, ir::TensorId a, ir::TensorId b) {
  const ir::Tensor& y = graph.tensor(op.output());
  const rules::Image right = image(graph, b);
  layer::DlaLayer layer;
  layer.op = dla::Op::kConv;
  layer.input = a, layer.output = op.output();
  set_image(layer, image(graph, a), image(graph, op.output()));
  layer.weight_zero = graph.tensor(b).quantization.zero_point();
  layer.in_zero = graph.tensor(a).quantization.zero_point();
  const bool biased = op.kind == ir::OpKind::kFullyConnected && op.input(2) != ir::kAbsent;
  const int32_t* bias = biased ? graph.tensor(op.input(2)).values<int32_t>() : nullptr;
  layer.bias.assign(static_cast<size_t>(layer.out_c), 0);
  if (biased) layer.bias.assign(bias, bias + layer.out_c);
  if (graph.tensor(b).is_constant() && right.h == 1) {
    set_constant(layer, graph.tensor(b));
  } else {
    layer.weights_from = b;
    layer.weights_by_row = right.h > 1;
  }
  common::ChannelScales scales = common::channel_scales(graph, op, layer.out_c);
  layer.multiplier = std::move(scales.multiplier);
  layer.shift = std::move(scales.shift);
  const bool as_float = common::product_rule(graph, op) == common::ProductRule::kFloat;
  const bool once = common::product_rule(graph, op) == common::ProductRule::kSingle;
  layer.rule = once ? dla::Rule::kSingle : as_float ? dla::Rule::kFloat : dla::Rule::kDouble;
  layer.out_zero = y.quantization.zero_point();
  const ir::Activation act = op.kind == ir::OpKind::kFullyConnected
                                 ? op.as<ir::FullyConnected>().act
                                 : ir::Activation::kNone;
  const common::Clamp clamp = common::clamp_of(act, y, common::numerics_of(graph, op));
  layer.act_min = clamp.min, layer.act_max = clamp.max;
  return layer;
}

ir::TensorId add_transposed(ir::Graph& graph, ir::TensorId x) {
  ir::Tensor t = graph.tensor(x);
  t.name += "/transposed";
  const size_t rank = t.shape.size();
  const int64_t rows = t.shape[rank - 2], columns = t.shape[rank - 1];
  std::swap(t.shape[rank - 2], t.shape[rank - 1]);
  if (t.is_constant()) {
    const ir::Bytes& from = *graph.tensor(x).data;
    ir::Bytes bytes;
    for (int64_t matrix = 0; matrix < t.elements(); matrix += rows * columns) {
      for (int64_t c = 0; c < columns; ++c) {
        for (int64_t r = 0; r < rows; ++r) {
          bytes.push_back(from[static_cast<size_t>(matrix + r * columns + c)]);
        }
      }
    }
    t.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  }
  return graph.add(std::move(t));
}

layer::DlaLayer transposition(const ir::Graph& graph, ir::TensorId x, ir::TensorId y,
                              ir::TensorId identity) {
  const rules::Image one = image(graph, identity);
  layer::DlaLayer layer;
  layer.op = dla::Op::kConv;
  layer.input = identity, layer.output = y;
  set_image(layer, one, image(graph, y));
  layer.weights_from = x;
  layer.weights_by_row = layer.out_h > 1;
  layer.diagonal = static_cast<int>(one.c);
  layer.rule = dla::Rule::kFloat;
  const auto channels = static_cast<size_t>(layer.out_c);
  layer.bias.assign(channels, 0);
  layer.multiplier.assign(channels, 0x3f800000);  // 1.0f
  layer.shift.assign(channels, 0);
  return layer;
}

ir::TensorId add_identity(ir::Graph& graph, int lanes) {
  const auto n = static_cast<size_t>(lanes);
  ir::Tensor t;
  t.name = "identity";
  t.shape = {lanes, lanes};
  ir::Bytes bytes(n * n, 0);
  for (size_t i = 0; i < n; ++i) bytes[i * n + i] = 1;
  t.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return graph.add(std::move(t));
}

}  // namespace presil::partition
