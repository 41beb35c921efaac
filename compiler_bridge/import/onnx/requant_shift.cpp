// RequantShift, with which networks of whole numbers come (Deeploy, PULP's PACT exporters): float32
// tensors whose values are integers.
//
//   y = floor((x * mul + add + div / 2) / div), limited to 0..255, or -128..127 where `signed` is 1
//
// x is what a Conv, Gemm, MatMul or Add makes of such bytes, or bytes themselves. y is bytes of
// scale 1, so what follows it works on stored values. With one rounding and div a power of two that
// is TOSA's RESCALE. Inputs of the network are bytes 0..255: the file does not say.
#include "compiler_bridge/import/onnx/requant_shift.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "compiler_bridge/import/onnx/conv_sums.h"
#include "compiler_bridge/import/onnx/importer.h"
#include "compiler_bridge/import/onnx/weights.h"
#include "compiler_bridge/import/onnx/window.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import::onnx {
namespace {

using K = ir::OpKind;
using D = ir::DType;

constexpr const char* kNode = "RequantShift";
constexpr int kUnsigned = -128;  // zero point of bytes 0..255

template <class T>
ir::Tensor constant_of(const std::string& name, D dtype, const Shape& shape,
                       const std::vector<T>& values) {
  ir::Tensor tensor;
  tensor.name = name, tensor.dtype = dtype, tensor.shape = shape;
  ir::Bytes bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return tensor;
}

/// Values of a constant of float32, which must be whole and within limits.
std::vector<int64_t> wholes(const Importer& r, const ir::Tensor& from, const std::string& what,
                            int64_t low, int64_t high) {
  r.require(from.is_constant() && from.dtype == D::kFloat32,
            [&] { return what + " must be a constant of float32"; });
  std::vector<int64_t> values;
  for (int64_t i = 0; i < from.elements(); ++i) {
    const float value = from.values<float>()[i];
    r.require(value == std::nearbyint(value) && double{value} >= static_cast<double>(low) &&
                  double{value} <= static_cast<double>(high),
              [&] {
                return what + " has the value " + std::to_string(value) + ", must be whole, " +
                       std::to_string(low) + ".." + std::to_string(high);
              });
    values.push_back(static_cast<int64_t>(value));
  }
  return values;
}

/// An attribute of one number, which exporters write as a tensor.
double number(const Importer& r, const char* name) {
  const auto found = r.node().attributes.find(name);
  r.require(found != r.node().attributes.end(),
            [&] { return std::string("its attribute ") + name + " is missing"; });
  const Attribute& a = found->second;
  if (!a.tensor) return a.i != 0 ? static_cast<double>(a.i) : double{a.f};
  const bool real = a.tensor->dtype == D::kFloat32 && a.tensor->elements() == 1;
  r.require(real, [&] { return std::string(name) + " must be one number of float32"; });
  return double{*a.tensor->values<float>()};
}

int zero_of(const Importer& r, const Value& bytes) {
  return r.tensor(bytes).quantization.zero_point();
}

/// Bytes of scale 1; an input of the network becomes such.
Value bytes_of(Importer& r, Value x) {
  const ir::Tensor& from = r.tensor(x);
  const bool stored = x.quantized && from.dtype == D::kInt8 && from.quantization.per_tensor() &&
                      from.quantization.scale() == 1.0f;
  if (stored) return x;
  r.require(!x.quantized && from.dtype == D::kFloat32 && r.is_input(x), [&] {
    return "x is " + ir::type_of(from) + ", must be bytes that a RequantShift makes, or an input";
  });
  const Value known = r.quantized_input(x, {{1.0f}, {kUnsigned}, -1});
  return known;
}

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
  const std::vector<ir::TensorId> inputs = {r.image(x).id, r.constant(std::move(w)),
                                            bias_of(r, weights[0])};
  r.give(image_value(r, r.make(K::kConvSums, a, inputs, {}, D::kInt32), false));
}

/// Rows times a constant matrix: a convolution of 1 x 1.
void dense(Importer& r) {
  const bool gemm = r.node().op == kInteger + std::string("Gemm");
  r.require(!gemm || (r.real("alpha", 1.0f) == 1.0f && r.real("beta", 1.0f) == 1.0f &&
                      r.integer("transA", 0) == 0),
            [] { return "alpha and beta must be 1, transA 0"; });
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

struct Scale {
  std::vector<int64_t> multiplier;
  int shift = 0;
};

ir::TensorId rescale(Importer& r, const Value& x, const Scale& scale, int in_zero, int out_zero,
                     D to) {
  std::vector<int32_t> m(scale.multiplier.begin(), scale.multiplier.end());
  const auto count = static_cast<int64_t>(m.size());
  const ir::TensorId multiplier = r.constant(constant_of("multiplier", D::kInt32, {count}, m));
  const ir::TensorId shift = r.constant(constant_of(
      "shift", D::kInt8, {count}, std::vector<int8_t>(m.size(), static_cast<int8_t>(scale.shift))));
  ir::Rescale a;
  a.in_zero = in_zero, a.out_zero = out_zero;
  ir::Quantization q;
  if (to == D::kInt8) q = {{1.0f}, {out_zero}, -1};
  return r.make(K::kRescale, a, {x.id, multiplier, shift}, q, to);
}

/// Two bytes; each is int32 less its zero point.
void add(Importer& r) {
  Value a = bytes_of(r, r.in(0)), b = bytes_of(r, r.in(1));
  r.require(a.shape == b.shape, [&] {
    return "a is " + ir::to_string(a.shape) + ", b " + ir::to_string(b.shape) +
           ", must be of one shape";
  });
  if (a.nhwc != b.nhwc) a = r.plain(a), b = r.plain(b);
  const Scale one = {{int64_t{1} << 30}, 30};
  const ir::TensorId wide_a = rescale(r, a, one, zero_of(r, a), 0, D::kInt32);
  const ir::TensorId wide_b = rescale(r, b, one, zero_of(r, b), 0, D::kInt32);
  const ir::TensorId sum = r.make(K::kAdd, ir::Elementwise{}, {wide_a, wide_b}, {}, D::kInt32);
  r.give({sum, a.shape, a.nhwc, false});
}

int places_of(const Importer& r) {
  const double div = number(r, "div");
  int exponent = 0;
  const double fraction = std::frexp(div, &exponent);
  r.require(fraction == 0.5 && exponent >= 3 && exponent <= 63,
            [&] { return "div is " + std::to_string(div) + ", must be a power of two, 4..2^62"; });
  return exponent - 1;
}

/// add as so many mul: what the sums get before they are scaled.
std::vector<int32_t> added(const Importer& r, const std::vector<int64_t>& mul,
                           const std::vector<int64_t>& more) {
  std::vector<int32_t> bias;
  for (size_t i = 0; i < std::max(mul.size(), more.size()); ++i) {
    const int64_t m = mul[mul.size() == 1 ? 0 : i], b = more[more.size() == 1 ? 0 : i];
    r.require(m != 0 ? b % m == 0 : b == 0, [&] {
      return "add is " + std::to_string(b) + ", must be a multiple of mul, which is " +
             std::to_string(m) + ": engines add before they multiply";
    });
    bias.push_back(m == 0 ? 0 : static_cast<int32_t>(b / m));
  }
  return bias;
}

void requant_shift(Importer& r) {
  const Value x = r.in(0);
  const double levels = number(r, "n_levels_out");
  r.require(levels == 256,
            [&] { return "n_levels_out is " + std::to_string(levels) + ", must be 256: bytes"; });
  const int64_t channels = x.shape.empty() ? 1 : x.nhwc ? x.shape[1] : x.shape.back();
  const std::vector<int64_t> mul = wholes(r, r.tensor(r.in(1)), "mul", -(1 << 30), 1 << 30);
  const std::vector<int64_t> more = wholes(r, r.tensor(r.in(2)), "add", INT32_MIN, INT32_MAX);
  for (const auto* list : {&mul, &more}) {
    const auto count = static_cast<int64_t>(list->size());
    r.require(count == 1 || count == channels, [&] {
      return "mul or add has " + std::to_string(count) + " values, must have 1 or " +
             std::to_string(channels) + ", one for each channel";
    });
  }
  const int out_zero = number(r, "signed") != 0 ? 0 : kUnsigned;
  Scale scale{mul, places_of(r)};
  std::vector<int32_t> bias = added(r, mul, more);
  const bool biased = std::any_of(bias.begin(), bias.end(), [](int32_t b) { return b != 0; });
  Value y{ir::kAbsent, x.shape, x.nhwc, true};
  if (r.tensor(x).dtype == D::kInt32 && !x.quantized) {
    Value sums = r.reshaped_from(x);  // so that nothing stands between sums and their scaling
    if (biased && !r.add_to_bias(sums, bias)) {
      const auto count = static_cast<int64_t>(bias.size());
      const ir::TensorId row = r.constant(constant_of("add", D::kInt32, {count}, bias));
      sums.id = r.make(K::kAdd, ir::Elementwise{}, {sums.id, row}, {}, D::kInt32);
    }
    y.id = rescale(r, sums, scale, 0, out_zero, D::kInt8);
    if (sums.shape != r.tensor(x).shape && !x.nhwc) {
      y.id = r.make_like(y, K::kReshape, ir::None{}, {y.id}, x.shape);
    }
  } else {
    const Value bytes = bytes_of(r, x);
    const bool one = std::all_of(bias.begin(), bias.end(), [&](int32_t b) { return b == bias[0]; });
    r.require(one && bias[0] > -65536 && bias[0] < 65536,
              [] { return "of bytes add must be one small number for all channels"; });
    y.nhwc = bytes.nhwc;
    y.id = rescale(r, bytes, scale, zero_of(r, bytes) - bias[0], out_zero, D::kInt8);
  }
  r.give(y);
}

}  // namespace

void mark_integers(File& file) {
  std::map<std::string, std::pair<size_t, size_t>> readers;  // RequantShift, all
  for (const Node& node : file.nodes) {
    for (const std::string& input : node.inputs) {
      auto& [own, all] = readers[input];
      own += node.op == kNode && !node.inputs.empty() && input == node.inputs[0] ? 1 : 0, ++all;
    }
  }
  static const std::set<std::string> kMakers = {"Conv", "Gemm", "MatMul", "Add"};
  for (Node& node : file.nodes) {
    if (kMakers.count(node.op) == 0 || node.outputs.empty()) continue;
    const auto found = readers.find(node.outputs[0]);
    if (found == readers.end()) continue;
    const auto [own, all] = found->second;
    if (own > 0 && own == all) node.op = kInteger + node.op;
  }
}

const std::vector<Conversion>& of_integers() {
  static const std::vector<Conversion> table = {{"integer Conv", conv},
                                                {"integer Gemm", dense},
                                                {"integer MatMul", dense},
                                                {"integer Add", add}};
  return table;
}

const std::vector<Conversion>& of_requant_shift() {
  static const std::vector<Conversion> table = {{kNode, requant_shift}};
  return table;
}

}  // namespace presil::import::onnx
