// Reductions over axes, and what normalises by them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler_bridge/import/onnx/importer.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import::onnx {
namespace {

std::vector<size_t> axes_of(Importer& r, size_t rank, int64_t from_opset) {
  std::vector<int64_t> given;
  if (r.opset() < from_opset) {
    given = r.integers("axes", {});
  } else if (r.has(1)) {
    given = r.numbers(1, "its axes");
  }
  std::vector<size_t> axes;
  for (const int64_t axis : given) axes.push_back(r.axis(axis, rank));
  if (axes.empty() && r.integer("noop_with_empty_axes", 0) == 0) {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), size_t{0});
  }
  std::sort(axes.begin(), axes.end());
  return axes;
}

void reduce(Importer& r, ir::OpKind kind, int64_t axes_are_input_from) {
  const Value x = r.in(0);
  const size_t rank = x.shape.size();
  const std::vector<size_t> axes = axes_of(r, rank, axes_are_input_from);
  const bool keep = r.integer("keepdims", 1) != 0;
  // Rows and columns of an image go without a change of layout, and so do axes that stay as ones.
  const bool as_image = x.nhwc && (keep || axes == std::vector<size_t>{2, 3});
  static constexpr int64_t kStored[] = {0, 3, 1, 2};
  ir::Reduce how;
  how.keep_dims = keep;
  for (const size_t axis : axes) {
    how.axes.push_back(as_image ? kStored[axis] : static_cast<int64_t>(axis));
  }
  std::sort(how.axes.begin(), how.axes.end());
  Value y{ir::kAbsent, {}, as_image && keep, false};
  for (size_t i = 0; i < rank; ++i) {
    const bool gone = std::binary_search(axes.begin(), axes.end(), i);
    if (!gone) y.shape.push_back(x.shape[i]);
    if (gone && keep) y.shape.push_back(1);
  }
  const bool mean = kind == ir::OpKind::kMean && x.quantized;
  const auto quantizer = mean ? r.quantizer(false) : std::nullopt;
  const bool stored = quantizer && quantizer->dtype == ir::DType::kInt8;
  Value from = stored ? x : r.dequantized(x);
  if (!as_image) from = r.plain(from);
  if (stored) {
    y.id = r.make(kind, how, {from.id}, quantizer->quantization, quantizer->dtype);
    return r.give(y, *quantizer);
  }
  y.id = r.make_like(from, kind, how, {from.id});
  r.give(y);
}

void reduce_mean(Importer& r) {
  reduce(r, ir::OpKind::kMean, 18);
}
void reduce_sum(Importer& r) {
  reduce(r, ir::OpKind::kSum, 13);
}
void reduce_max(Importer& r) {
  reduce(r, ir::OpKind::kReduceMax, 18);
}
void reduce_min(Importer& r) {
  reduce(r, ir::OpKind::kReduceMin, 18);
}

ir::TensorId constant_of(Importer& r, const std::vector<float>& values, const Shape& shape) {
  ir::Tensor tensor;
  tensor.dtype = ir::DType::kFloat32, tensor.shape = shape;
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  tensor.data = std::make_shared<const ir::Bytes>(bytes, bytes + values.size() * sizeof(float));
  return r.constant(std::move(tensor));
}

// Of each channel x * a + b.
void batch_normalization(Importer& r) {
  r.require(r.integer("training_mode", 0) == 0 && r.node().outputs.size() == 1,
            [] { return "it is in training mode, must normalise by constants"; });
  Value x = r.dequantized(r.in(0));
  r.require(x.shape.size() >= 2, [&] {
    return "x is " + ir::to_string(x.shape) + ", must have channels on its second axis";
  });
  const auto scale = r.reals(1, "its scale"), bias = r.reals(2, "its bias");
  const auto mean = r.reals(3, "its mean"), variance = r.reals(4, "its variance");
  const auto channels = static_cast<size_t>(x.shape[1]);
  r.require(scale.size() == channels && bias.size() == channels && mean.size() == channels &&
                variance.size() == channels,
            [&] { return "it must have " + std::to_string(channels) + " values of each kind"; });
  const float epsilon = r.real("epsilon", 1e-5f);
  std::vector<float> a(channels), b(channels);
  for (size_t c = 0; c < channels; ++c) {
    const double factor = double{scale[c]} / std::sqrt(double{variance[c]} + double{epsilon});
    a[c] = static_cast<float>(factor);
    b[c] = static_cast<float>(double{bias[c]} - double{mean[c]} * factor);
  }
  Shape shape(x.shape.size(), 1);
  shape[x.nhwc ? 3 : 1] = x.shape[1];
  x.id = r.make_like(x, ir::OpKind::kMul, ir::Elementwise{}, {x.id, constant_of(r, a, shape)});
  x.id = r.make_like(x, ir::OpKind::kAdd, ir::Elementwise{}, {x.id, constant_of(r, b, shape)});
  r.give(x);
}

void layer_normalization(Importer& r) {
  Value x = r.plain(r.dequantized(r.in(0)));
  const size_t rank = x.shape.size();
  r.require(r.axis(r.integer("axis", -1), rank) + 1 == rank,
            [] { return "its axis must be the last: it normalises rows"; });
  r.require(r.node().outputs.size() == 1,
            [] { return "its mean and deviation are asked for, which training alone needs"; });
  const auto width = static_cast<size_t>(x.shape.back());
  const auto scale = r.reals(1, "its scale");
  const auto bias = r.has(2) ? r.reals(2, "its bias") : std::vector<float>(width, 0.0f);
  r.require(scale.size() == width && bias.size() == width,
            [&] { return "scale and bias must have " + std::to_string(width) + " values"; });
  const Shape shape = {x.shape.back()};
  const ir::LayerNorm how{r.real("epsilon", 1e-5f)};
  x.id = r.make_like(x, ir::OpKind::kLayerNorm, how,
                     {x.id, constant_of(r, scale, shape), constant_of(r, bias, shape)});
  r.give(x);
}

}  // namespace

const std::vector<Conversion>& of_reductions() {
  static const std::vector<Conversion> table = {{"BatchNormalization", batch_normalization},
                                                {"LayerNormalization", layer_normalization},
                                                {"ReduceMax", reduce_max},
                                                {"ReduceMean", reduce_mean},
                                                {"ReduceMin", reduce_min},
                                                {"ReduceSum", reduce_sum}};
  return table;
}

}  // namespace presil::import::onnx
