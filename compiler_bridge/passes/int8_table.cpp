#include "compiler_bridge/passes/int8_table.h"

#include <algorithm>
#include <cmath>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/passes/real_table.h"
#include "compiler_bridge/passes/smooth_table.h"
#include "compiler_bridge/passes/tabulate.h"

namespace presil::passes {
namespace {

// XNNPACK carries a ratio as a multiple of 1/256 and rounds halves up.
int64_t scaled_xnnpack(const ir::Op& op, int64_t v, float ratio) {
  return (v * common::fixed8(op, ratio) + 128) >> 8;
}

// The factor as the operator computes it under each rule set.
struct Factor {
  double tflite;
  float xnnpack;
};

int64_t scaled(const ir::Op& op, int64_t v, const Factor& factor, ir::Numerics numerics) {
  return ir::by_fixed_point(numerics) ? scaled_twice(v, common::fixed_point(op, factor.tflite))
                                      : scaled_xnnpack(op, v, factor.xnnpack);
}

Factor ratio(const ir::Quantization& x, const ir::Quantization& y) {
  return {static_cast<double>(x.scale()) / static_cast<double>(y.scale()), x.scale() / y.scale()};
}

Int8Table clamped(Int8Table table, const common::Clamp& clamp) {
  for (int8_t& value : table) {
    value = static_cast<int8_t>(std::clamp<int32_t>(value, clamp.min, clamp.max));
  }
  return table;
}

Int8Table leaky_relu_table(const ir::Op& op, const ir::Quantization& x, const ir::Quantization& y,
                           float alpha, ir::Numerics numerics) {
  // TFLite Micro's are in double. LiteRT's are float32: its own kernel multiplies before it
  // divides, XNNPACK after, so that results may differ.
  const float product = x.scale() * alpha;
  const float quotient = x.scale() / y.scale();
  const float slope = quotient * alpha;
  const bool micro = ir::by_fixed_point(numerics);
  const double x_wide = x.scale(), y_wide = y.scale(), alpha_wide = alpha;
  const Factor above{micro ? x_wide / y_wide : double{quotient}, quotient};
  const double wide = x_wide * alpha_wide / y_wide;
  const Factor below{micro ? wide : double{product / y.scale()}, slope};
  // XNNPACK's range of negative slopes ends 1/256 before -128.
  const bool taken =
      common::xnnpack_takes(quotient) &&
      (common::xnnpack_takes(slope) || (slope <= -1.0f / 256 && slope >= -(128.0f - 1.0f / 256)));
  if (!taken) numerics = ir::Numerics::kTflite;
  return tabulate([&](int q) {
    const int64_t v = q - x.zero_point();
    return scaled(op, v, v >= 0 ? above : below, numerics) + y.zero_point();
  });
}

}  // namespace

Int8Table requantize_table(const ir::Op& op, const ir::Quantization& x, const ir::Quantization& y,
                           ir::Numerics numerics) {
  if (numerics == ir::Numerics::kOnnx) {  // DequantizeLinear, QuantizeLinear
    return tabulate([&](int q) {
      const float real = static_cast<float>(q - x.zero_point()) * x.scale();
      const float steps = std::clamp(std::nearbyint(real / y.scale()), -1e6f, 1e6f);
      return static_cast<int64_t>(steps) + y.zero_point();
    });
  }
  const Factor factor = ratio(x, y);
  if (!common::xnnpack_takes(factor.xnnpack)) numerics = ir::Numerics::kTflite;
  return tabulate(
      [&](int q) { return scaled(op, q - x.zero_point(), factor, numerics) + y.zero_point(); });
}

namespace {

// The same as TFLite's concatenation of uint8 has it: bytes 0..255 and their zero points, in float.
Int8Table unsigned_table(const ir::Quantization& x, const ir::Quantization& y) {
  const float scale = x.scale() * (1.0f / y.scale());
  const float shift = -static_cast<float>(x.zero_point() + 128) * scale;
  return tabulate([&](int q) {
    const float real = static_cast<float>(q + 128) * scale + shift;
    return std::llround(std::clamp(real, -1e6f, 1e6f)) + y.zero_point();
  });
}

}  // namespace

Int8Table concat_table(const ir::Graph& graph, const ir::Op& concat, ir::TensorId x) {
  const ir::Quantization& from = graph.tensor(x).quantization;
  const ir::Quantization& to = graph.tensor(concat.output()).quantization;
  if (from == to) return tabulate([](int q) { return q; });
  if (concat.as<ir::Concat>().in_float) return unsigned_table(from, to);
  return requantize_table(concat, from, to, graph.numerics);
}

namespace {

/// Of one scale, both sides signed or not: by the stored byte.
std::optional<Int8Table> rescale_table(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &multiplier = graph.tensor(op.input(1)), &shift = graph.tensor(op.input(2));
  if (multiplier.elements() != 1 || shift.elements() != 1) return std::nullopt;
  const auto& r = op.as<ir::Rescale>();
  const int64_t m = multiplier.dtype == ir::DType::kInt16 ? *multiplier.values<int16_t>()
                                                          : *multiplier.values<int32_t>();
  const int places = *shift.values<int8_t>();
  Int8Table table{};
  for (int byte = 0; byte < 256; ++byte) {
    const int64_t x = (r.in_unsigned || byte < 128 ? byte : byte - 256) - r.in_zero;
    const int64_t second = r.round_twice && places > 31 ? int64_t{1} << 30 : 0;
    const int64_t half = (int64_t{1} << (places - 1)) + (x < 0 ? -second : second);
    const int64_t y = ((x * m + half) >> places) + r.out_zero;
    const int64_t least = r.out_unsigned ? 0 : -128;
    table[static_cast<size_t>(byte)] = static_cast<int8_t>(std::clamp(y, least, least + 255));
  }
  return table;
}

}  // namespace

std::optional<Int8Table> table_of(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  if (x.dtype != ir::DType::kInt8 || y.dtype != ir::DType::kInt8) return std::nullopt;
  if (!x.quantization.per_tensor() || !y.quantization.per_tensor()) return std::nullopt;
  const ir::Quantization &from = x.quantization, &to = y.quantization;
  // Under xnnpack too: LiteRT leaves them to TFLite's own kernel.
  const auto relu = [&](ir::Activation act) {
    if (graph.numerics == ir::Numerics::kOnnx) {
      return clamped(requantize_table(op, from, to, graph.numerics),
                     common::clamp_of(act, y, graph.numerics));
    }
    return clamped(requantize_table(op, from, to, ir::Numerics::kTflite),
                   common::clamp_of(act, y, ir::Numerics::kTflite));
  };
  switch (op.kind) {
    case ir::OpKind::kQuantize:
      return requantize_table(op, from, to, graph.numerics);
    case ir::OpKind::kRescale:
      return rescale_table(graph, op);
    case ir::OpKind::kRelu:
      return relu(ir::Activation::kRelu);
    case ir::OpKind::kRelu6:
      return relu(ir::Activation::kRelu6);
    case ir::OpKind::kLeakyRelu:
      return leaky_relu_table(op, from, to, op.as<ir::LeakyRelu>().alpha, graph.numerics);
    case ir::OpKind::kLogistic:
      return logistic_table(op, from, to, graph.numerics);
    case ir::OpKind::kTanh:
      return tanh_table(op, from, to, graph.numerics);
    case ir::OpKind::kHardSwish:
      return hard_swish_table(op, from, to);
    case ir::OpKind::kReluN1To1:
      return clamp_table(op, from, to, -1.0f, 1.0f);
    case ir::OpKind::kRelu0To1:
      return clamp_table(op, from, to, 0.0f, 1.0f);
    case ir::OpKind::kElu:
      return elu_table(from, to, graph.numerics);
    case ir::OpKind::kGelu:
      return gelu_table(from, to, op.as<ir::Gelu>().approximate);
    case ir::OpKind::kAbs:
      return abs_table(op, from, to, graph.numerics);
    case ir::OpKind::kNeg:
      return neg_table();
    case ir::OpKind::kExp:
      return exp_table(from, to);
    case ir::OpKind::kLog:
      return log_table(from, to);
    case ir::OpKind::kSqrt:
      return sqrt_table(from, to);
    case ir::OpKind::kRsqrt:
      return rsqrt_table(op, from, to, graph.numerics);
    case ir::OpKind::kPrelu: {
      const ir::Tensor& alpha = graph.tensor(op.input(1));
      if (!alpha.is_constant() || alpha.elements() != 1) return std::nullopt;
      return prelu_table(op, from, to, alpha.quantization, *alpha.values<int8_t>(), graph.numerics);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace presil::passes
