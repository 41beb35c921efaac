#include "compiler_bridge/passes/channel_map.h"

#include <algorithm>

namespace presil::passes {
namespace {

bool takes_every_pixel(const ir::Conv2d& a) {
  return a.stride_h == 1 && a.stride_w == 1 && a.groups == 1 && a.act == ir::Activation::kNone &&
         (a.pad_top | a.pad_left | a.pad_bottom | a.pad_right) == 0;
}

}  // namespace

ir::Op select_channels(ir::Graph& graph, ir::TensorId x, ir::TensorId y,
                       const std::vector<int64_t>& map, const ir::Op& as) {
  const auto in = static_cast<size_t>(graph.tensor(x).shape.back());
  ir::Bytes weights(map.size() * in, 0);
  for (size_t o = 0; o < map.size(); ++o) weights[o * in + static_cast<size_t>(map[o])] = 1;
  ir::Tensor w;
  w.name = graph.tensor(y).name + "/permutation";
  w.dtype = ir::DType::kInt8;
  w.shape = {static_cast<int64_t>(map.size()), 1, 1, static_cast<int64_t>(in)};
  w.quantization.scales = {1.0F};
  w.quantization.zero_points = {0};
  w.data = std::make_shared<const ir::Bytes>(std::move(weights));
  return {ir::OpKind::kConv2d, as.name,      {x, graph.add(std::move(w))}, {y},
          ir::Conv2d{},        as.source_ops};
}

std::optional<std::vector<int64_t>> selection_of(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind != ir::OpKind::kConv2d || op.input(2) != ir::kAbsent) return {};
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  const ir::Tensor& w = graph.tensor(op.input(1));
  if (x.dtype != ir::DType::kInt8 || x.quantization != y.quantization) return {};
  ir::Quantization one;
  one.scales = {1.0F}, one.zero_points = {0};
  if (!w.is_constant() || w.quantization != one || w.dtype != ir::DType::kInt8) return {};
  if (w.shape[1] != 1 || w.shape[2] != 1 || !takes_every_pixel(op.as<ir::Conv2d>())) return {};
  std::vector<int64_t> map;
  const int64_t in = w.shape[3];
  for (int64_t o = 0; o < w.shape[0]; ++o) {
    const int8_t* row = w.values<int8_t>() + o * in;
    const int8_t* found = std::find(row, row + in, 1);
    if (found == row + in || in - std::count(row, row + in, 0) != 1) return {};
    map.push_back(found - row);
  }
  return map;
}

}  // namespace presil::passes
