#include "compiler_bridge/import/onnx/weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace presil::import::onnx {
namespace {

constexpr size_t kWeights = 1, kBias = 2;

// Index in the file of element i of the graph's weights.
struct Order {
  Shape shape;     ///< of the graph's
  size_t axis;     ///< of its output channels
  size_t o, i, s;  ///< extents: output channels, inputs of each, taps
  WeightForm form;

  size_t source(size_t at) const {
    switch (form) {
      case WeightForm::kConvolution:  // [o, i, s] -> [o, s, i]
        return at / (s * i) * (s * i) + at % i * s + at / i % s;
      case WeightForm::kTransposedConvolution:  // [i, o, s] -> [o, s, i]
        return at % i * (o * s) + at / (s * i) * s + at / i % s;
      case WeightForm::kDepthwise:  // [o, 1, s] -> [1, s, o]
        return at % o * s + at / o;
      case WeightForm::kMatrix:  // [i, o] -> [o, i]
        return at % i * o + at / i;
      case WeightForm::kTransposed:
        break;
    }
    return at;
  }
};

Order order_of(const Shape& file, WeightForm form) {
  Order order{{}, 0, 1, 1, 1, form};
  if (form == WeightForm::kMatrix || form == WeightForm::kTransposed) {
    const bool turned = form == WeightForm::kMatrix;
    const int64_t out = file[turned ? 1 : 0], in = file[turned ? 0 : 1];
    order.shape = {out, in};
    order.o = static_cast<size_t>(out), order.i = static_cast<size_t>(in);
    return order;
  }
  const size_t out = form == WeightForm::kTransposedConvolution ? 1 : 0, in = 1 - out;
  order.o = static_cast<size_t>(file[out]), order.i = static_cast<size_t>(file[in]);
  order.s = static_cast<size_t>(file[2] * file[3]);
  if (form != WeightForm::kDepthwise) {
    order.shape = {file[out], file[2], file[3], file[in]};
  } else {
    order.shape = {1, file[2], file[3], file[0]};
    order.axis = 3;
  }
  return order;
}

ir::Tensor ordered(ir::Tensor tensor, const Order& order) {
  const size_t width = size_of(tensor.dtype);
  ir::Bytes bytes(tensor.data->size());
  for (size_t at = 0; at < bytes.size() / width; ++at) {
    std::memcpy(bytes.data() + at * width, tensor.data->data() + order.source(at) * width, width);
  }
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  tensor.shape = order.shape;
  if (tensor.quantization.axis >= 0) tensor.quantization.axis = static_cast<int>(order.axis);
  return tensor;
}

// The axis of output channels in the file.
int file_axis(WeightForm form) {
  return form == WeightForm::kMatrix || form == WeightForm::kTransposedConvolution ? 1 : 0;
}

bool all_zero(const std::vector<int64_t>& values) {
  return std::all_of(values.begin(), values.end(), [](int64_t v) { return v == 0; });
}

float scale_of(const ir::Quantization& q, size_t channel) {
  return q.scales[q.scales.size() == 1 ? 0 : channel];
}

// Bias in steps of x's scale times the weights', int32, beside int16 int64. One of float32 is
// rounded to those; one with steps of its own must have these.
std::optional<ir::Tensor> integer_bias(const ir::Tensor& from, const ir::Tensor& x,
                                       const ir::Tensor& w, size_t channels) {
  const double scale_x = double{x.quantization.scale()};
  const bool wide = x.dtype == ir::DType::kInt16;
  const size_t size = wide ? sizeof(int64_t) : sizeof(int32_t);
  if (!from.is_constant() || static_cast<size_t>(from.elements()) != channels) return {};
  ir::Tensor bias;
  bias.name = from.name, bias.dtype = wide ? ir::DType::kInt64 : ir::DType::kInt32;
  bias.shape = {static_cast<int64_t>(channels)};
  ir::Bytes bytes(channels * size);
  for (size_t c = 0; c < channels; ++c) {
    const double step = scale_x * double{scale_of(w.quantization, c)};
    bias.quantization.scales.push_back(static_cast<float>(step));
    bias.quantization.zero_points.push_back(0);
    int64_t value = 0;
    if (from.dtype == ir::DType::kFloat32) {
      const double steps = std::nearbyint(double{from.values<float>()[c]} / step);
      if (!(std::abs(steps) < 2147483647.0)) return {};
      value = static_cast<int64_t>(steps);
    } else if (from.dtype == ir::DType::kInt32 && from.quantization.present()) {
      const double own = double{scale_of(from.quantization, c)};
      if (!all_zero(from.quantization.zero_points) || std::abs(own - step) > 1e-4 * step) return {};
      value = from.values<int32_t>()[c];
    } else {
      return {};
    }
    std::memcpy(bytes.data() + c * size, &value, size);  // little-endian, as the format
  }
  bias.quantization.axis = channels > 1 ? 0 : -1;
  bias.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return bias;
}

}  // namespace

ir::Tensor in_order(ir::Tensor weights, WeightForm form) {
  const Order order = order_of(weights.shape, form);
  return ordered(std::move(weights), order);
}

std::optional<Value> own_bias(Importer& r) {
  return r.has(kBias) ? std::optional<Value>(r.in(kBias)) : std::nullopt;
}

std::optional<Weighted> integer_operands(Importer& r, const Value& x,
                                         const std::optional<Value>& given, WeightForm form,
                                         const Quantizer& y) {
  const Value w = r.in(kWeights);
  if (!x.quantized || !w.quantized || !r.is_constant(w)) return {};
  if (r.tensor(x).dtype != y.dtype || r.tensor(w).dtype != ir::DType::kInt8) return {};
  ir::Tensor weights = r.tensor(w);
  const ir::Quantization& q = weights.quantization;
  if (!q.per_tensor() && !all_zero(q.zero_points)) return {};
  if (!q.per_tensor() && q.axis != file_axis(form)) return {};
  const Order order = order_of(w.shape, form);
  const auto bias = given ? integer_bias(r.tensor(*given), r.tensor(x), weights, order.o)
                          : std::optional<ir::Tensor>(ir::Tensor());
  if (!bias) return {};
  Weighted operands{x, r.constant(ordered(std::move(weights), order)), ir::kAbsent};
  if (given) operands.bias = r.constant(*bias);
  return operands;
}

Weighted real_operands(Importer& r, const Value& x, const std::optional<Value>& given,
                       WeightForm form) {
  const Value w = r.dequantized(r.in(kWeights));
  const Order order = order_of(w.shape, form);
  Weighted operands{r.dequantized(x), r.constant(ordered(r.tensor(w), order)), ir::kAbsent};
  if (given) {
    const Value bias = r.dequantized(*given);
    r.require(
        r.is_constant(bias) && static_cast<size_t>(r.tensor(bias).elements()) == order.o,
        [&] { return "its bias must be a constant of " + std::to_string(order.o) + " values"; });
    ir::Tensor flat = r.tensor(bias);
    flat.shape = {static_cast<int64_t>(order.o)};
    operands.bias = r.constant(std::move(flat));
  }
  return operands;
}

}  // namespace presil::import::onnx
