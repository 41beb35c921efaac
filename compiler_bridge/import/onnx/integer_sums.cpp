// Sums of bytes that RequantShift scales: convolutions, matrices, and bytes that are added.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler_bridge/import/onnx/conv_sums.h"
#include "compiler_bridge/import/onnx/integers.h"
#include "compiler_bridge/import/onnx/requant_shift.h"
#include "compiler_bridge/import/onnx/weights.h"
#include "compiler_bridge/import/onnx/window.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import::onnx {
namespace {

using K = ir::OpKind;
using D = ir::DType;

/// Constant weights in the file's order, int8.
ir::Tensor weights_of(Importer& r) {
  const ir::Tensor from = r.tensor(r.in(1));
  const std::vector<int64_t> values = wholes(r, from, "w", -128, 127);
  const std::vector<int8_t> bytes(values.begin(), values.end());
  return constant_of(from.name, D::kInt8, from.shape, bytes);
}

ir::TensorId bias_of(Importer& r, int64_t channels) {
  if (!r.has(2)) {
    return r.constant(constant_of("zero", D::kInt32, {1}, std::vector<int32_t>{0}));
  }
  const ir::Tensor from = r.tensor(r.in(2));
  const std::vector<int64_t> values = wholes(r, from, "bias", INT32_MIN, INT32_MAX);
  r.require(static_cast<int64_t>(values.size()) == channels, [&] {
    return "bias has " + std::to_string(values.size()) + " values, must have " +
           std::to_string(channels);
  });
  const std::vector<int32_t> sums(values.begin(), values.end());
  return r.constant(constant_of(from.name, D::kInt32, {channels}, sums));
}

/// The image, with what of its padding no window reaches across, which engines do not pad.
ir::TensorId padded(Importer& r, const Value& x, const Shape& weights, ir::ConvSums& a) {
  ir::Pad pad;
  pad.before = pad.after = {0, 0, 0, 0}, pad.value = a.in_zero;
  bool any = false;
  for (size_t i = 0; i < 2; ++i) {
    const int64_t reach = (weights[2 + i] - 1) * a.dilation[i];
    for (auto [side, more] :
         {std::pair{&a.before[i], &pad.before[1 + i]}, std::pair{&a.after[i], &pad.after[1 + i]}}) {
      *more = std::max<int64_t>(0, *side - reach);
      *side -= *more, any = any || *more != 0;
    }
  }
  return any ? r.make_like(x, K::kPad, pad, {x.id}) : x.id;
}

void conv(Importer& r) {
  const Value x = bytes_of(r, r.in(0));
  const Shape &image = x.shape, weights = r.in(1).shape;
  r.require(image.size() == 4 && weights.size() == 4, [&] {
    return "x is " + ir::to_string(image) + ", w " + ir::to_string(weights) +
           ", both must have 4 axes: images alone";
  });
  ir::ConvSums a = conv_sums(r, image, weights);
  a.in_zero = zero_of(r, x);
  ir::Tensor w = conv_sums_weights(weights_of(r), a.depthwise, image[1]);
  const std::vector<ir::TensorId> inputs = {padded(r, r.image(x), weights, a),
                                            r.constant(std::move(w)), bias_of(r, weights[0])};
  r.give(image_value(r, r.make(K::kConvSums, a, inputs, {}, D::kInt32), false));
}

/// Two computed matrices, or as many as stand before both.
void matmul(Importer& r) {
  const Value a = r.plain(bytes_of(r, r.in(0))), b = r.plain(bytes_of(r, r.in(1)));
  const size_t rank = a.shape.size();
  bool fits = rank >= 2 && b.shape.size() == rank && a.shape[rank - 1] == b.shape[rank - 2];
  for (size_t i = 0; fits && i + 2 < rank; ++i) fits = a.shape[i] == b.shape[i];
  r.require(fits, [&] {
    return "a is " + ir::to_string(a.shape) + ", b " + ir::to_string(b.shape) + ", do not fit";
  });
  const int64_t n = ir::elements(Shape(a.shape.begin(), a.shape.end() - 2));
  const auto matrices = [&](const Value& x) {
    return r.make_like(x, K::kReshape, ir::None{}, {x.id},
                       Shape{n, x.shape[rank - 2], x.shape[rank - 1]});
  };
  const ir::MatmulSums zeros = {zero_of(r, a), zero_of(r, b)};
  const ir::TensorId sums =
      r.make(K::kMatmulSums, zeros, {matrices(a), matrices(b)}, {}, D::kInt32);
  Shape shape = a.shape;
  shape[rank - 1] = b.shape[rank - 1];
  r.give({r.make(K::kReshape, ir::None{}, {sums}, {}, D::kInt32, shape), shape, false, false});
}

/// Rows times a constant matrix: a convolution of 1 x 1.
void dense(Importer& r) {
  const bool gemm = r.node().op == kInteger + std::string("Gemm");
  r.require(!gemm || (r.real("alpha", 1.0f) == 1.0f && r.real("beta", 1.0f) == 1.0f &&
                      r.integer("transA", 0) == 0),
            [] { return "alpha and beta must be 1, transA 0"; });
  if (!r.is_constant(r.in(1))) return matmul(r);
  const Value x = r.plain(bytes_of(r, r.in(0)));
  const Shape& w = r.in(1).shape;
  const bool turned = gemm && r.integer("transB", 0) != 0;
  r.require(w.size() == 2 && !x.shape.empty() && x.shape.back() == w[turned ? 1 : 0], [&] {
    return "x is " + ir::to_string(x.shape) + ", w " + ir::to_string(w) + ", do not fit";
  });
  const int64_t in = x.shape.back(), out = w[turned ? 0 : 1];
  const int64_t rows = ir::elements(x.shape) / std::max<int64_t>(1, in);
  ir::Tensor weights =
      in_order(weights_of(r), turned ? WeightForm::kTransposed : WeightForm::kMatrix);
  weights.shape = {out, 1, 1, in};
  ir::ConvSums a;
  a.stride = a.dilation = {1, 1}, a.before = a.after = {0, 0};
  a.in_zero = zero_of(r, x);
  const ir::TensorId image = r.make_like(x, K::kReshape, ir::None{}, {x.id}, Shape{1, 1, rows, in});
  const ir::TensorId sums = r.make(
      K::kConvSums, a, {image, r.constant(std::move(weights)), bias_of(r, out)}, {}, D::kInt32);
  Shape shape = x.shape;
  shape.back() = out;
  r.give({r.make(K::kReshape, ir::None{}, {sums}, {}, D::kInt32, shape), shape, false, false});
}

/// Sums and a constant row, which becomes their bias.
void add_row(Importer& r, size_t sums_at) {
  const Value sums = r.in(sums_at);
  const ir::Tensor row = r.tensor(r.in(1 - sums_at));
  const auto values = wholes(r, row, "the constant", INT32_MIN, INT32_MAX);
  const bool fits =
      r.tensor(sums).dtype == D::kInt32 && !sums.shape.empty() && !sums.quantized && !sums.nhwc &&
      (values.size() == 1 || static_cast<int64_t>(values.size()) == sums.shape.back());
  r.require(fits, [&] {
    return "x is " + ir::type_of(r.tensor(sums)) + ", the constant " + ir::type_of(row) +
           ", must be sums of products and a number for each of their last axis";
  });
  const std::vector<int32_t> more(values.begin(), values.end());
  if (r.add_to_bias(r.reshaped_from(sums), more, sums_at)) return r.give(sums);
  r.give(combined(r, K::kAdd, sums, row_of(r, more)));
}

/// Two bytes; each is int32 less its zero point.
void add(Importer& r) {
  for (const size_t i : {size_t{0}, size_t{1}}) {
    if (r.is_constant(r.in(1 - i))) return add_row(r, i);
  }
  Value a = bytes_of(r, r.in(0)), b = bytes_of(r, r.in(1));
  r.require(a.shape == b.shape, [&] {
    return "a is " + ir::to_string(a.shape) + ", b " + ir::to_string(b.shape) +
           ", must be of one shape";
  });
  if (a.nhwc != b.nhwc) a = r.plain(a), b = r.plain(b);
  const Value wide_a = wide(r, a), wide_b = wide(r, b);
  r.give(combined(r, K::kAdd, wide_a, wide_b.id));
}

/// An iGELU whose result one RequantShift alone reads is that one's.
void join_gelu(File& file, const std::map<std::string, std::pair<size_t, size_t>>& readers) {
  std::vector<Node> nodes;
  std::map<std::string, Node> functions;  // by what they make
  for (Node& node : file.nodes) {
    const bool gelu = node.op == "iGELU" && node.outputs.size() == 1 && node.inputs.size() == 1;
    const auto found = gelu ? readers.find(node.outputs[0]) : readers.end();
    if (found != readers.end() && found->second == std::pair<size_t, size_t>{1, 1}) {
      functions.emplace(node.outputs[0], std::move(node));
      continue;
    }
    const auto of = node.inputs.empty() ? functions.end() : functions.find(node.inputs[0]);
    if (of != functions.end()) {
      node.op = kInteger + of->second.op;
      node.inputs[0] = of->second.inputs[0];
      node.attributes.insert(of->second.attributes.begin(), of->second.attributes.end());
      functions.erase(of);
    }
    nodes.push_back(std::move(node));
  }
  // Of a file whose nodes are in no order some are still here; the order is refused later.
  for (auto& [name, node] : functions) nodes.push_back(std::move(node));
  file.nodes = std::move(nodes);
}

}  // namespace

void mark_integers(File& file) {
  constexpr const char* kScaled = "RequantShift";
  std::map<std::string, std::pair<size_t, size_t>> readers;  // that integers go to, all
  const auto reads = [&](const Node& node) {
    for (const std::string& input : node.inputs) {
      auto& [own, all] = readers[input];
      own += node.op == kScaled && !node.inputs.empty() && input == node.inputs[0] ? 1 : 0, ++all;
    }
  };
  std::for_each(file.nodes.begin(), file.nodes.end(), reads);
  static const std::set<std::string> kMakers = {"Conv", "Gemm", "MatMul", "Add"};
  // From the last on, so that a sum with a constant is known before what it adds to.
  for (auto node = file.nodes.rbegin(); node != file.nodes.rend(); ++node) {
    if (kMakers.count(node->op) == 0 || node->outputs.empty()) continue;
    const auto found = readers.find(node->outputs[0]);
    if (found == readers.end()) continue;
    const auto [own, all] = found->second;
    if (own == 0 || own != all) continue;
    const bool with_row =
        node->op == "Add" &&
        std::any_of(node->inputs.begin(), node->inputs.end(),
                    [&](const std::string& input) { return file.constants.count(input) != 0; });
    node->op = kInteger + node->op;
    for (const std::string& input : node->inputs) readers[input].first += with_row ? 1 : 0;
  }
  join_gelu(file, readers);
}

const std::vector<Conversion>& of_integers() {
  static const std::vector<Conversion> table = {{"integer Conv", conv},
                                                {"integer Gemm", dense},
                                                {"integer MatMul", dense},
                                                {"integer Add", add},
                                                {"integer iGELU", integer_gelu}};
  return table;
}

}  // namespace presil::import::onnx
