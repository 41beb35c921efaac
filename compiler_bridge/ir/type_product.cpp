// Types of convolutions and products of matrices.
#include <cmath>

#include "compiler_bridge/ir/type_case.h"

namespace presil::ir::types {
namespace {

/// Sums of int64 are brought to y with 16 bits of the scale, for which TFLite Micro has room up to
/// 2^7.
void sums_of_int64(const Case& c, const char* factors = "x and weights") {
  const auto scale = [](const Tensor& tensor, size_t i) {
    return static_cast<double>(tensor.quantization.scales[i]);
  };
  for (size_t i = 0; i < c.in(1).quantization.scales.size(); ++i) {
    const double ratio = scale(c.in(0), 0) * scale(c.in(1), i) / scale(c.out(), 0);
    c.require(ratio < 127, [&] {
      return std::string("a product of the scales of ") + factors + " is " + std::to_string(ratio) +
             " of y's, must be less than 127 with int16";
    });
  }
}

/// Weights and bias of float32, constants or computed. But for transpose_conv2d the weights may be
/// int8 constants, of one scale or one for each output channel: dynamic range.
void weighted_floats(const Case& c, int channel_axis) {
  const Tensor& weights = c.in(1);
  if (c.op.kind != OpKind::kTransposeConv2d && weights.dtype == DType::kInt8) {
    const Quantization& q = weights.quantization;
    bool symmetric = q.present() && (q.per_tensor() || q.axis == channel_axis);
    for (const int64_t zero_point : q.zero_points) symmetric = symmetric && zero_point == 0;
    c.require(weights.is_constant() && symmetric, [&] {
      return "weights beside float32 are " + type_of(weights) +
             ", of int8 they must be constants with one scale, or one along axis " +
             std::to_string(channel_axis) + ", the output channels, and zero points of 0";
    });
  } else {
    c.require_type(weights, "weights beside float32", DType::kFloat32);
  }
  if (c.op.input(2) != kAbsent) c.require_type(c.in(2), "bias beside float32", DType::kFloat32);
}

/// x, constant weights and bias, y of convolutions and fully connected. Weights have one scale and
/// zero point, or one scale per output channel and zero points of 0.
void weighted(const Case& c, int channel_axis) {
  c.require_activations({{&c.in(0), "x"}, {&c.out(), "y"}});
  if (c.out().dtype == DType::kFloat32) return weighted_floats(c, channel_axis);
  const bool wide = c.in(0).dtype == DType::kInt16;
  const Tensor& weights = c.in(1);
  c.require_type(weights, "weights", DType::kInt8);
  if (c.op.kind != OpKind::kFullyConnected || wide) {
    c.require(weights.is_constant(), "weights are computed by the graph, expected a constant");
  } else if (!weights.is_constant()) {
    c.require(weights.quantization.per_tensor(), [&] {
      return "weights are " + type_of(weights) +
             ", computed ones must have one scale and zero point";
    });
  }
  const Quantization& q = weights.quantization;
  c.require(q.present(), [&] { return "weights are " + type_of(weights) + ", must have a scale"; });
  c.require(q.axis < 0 || q.axis == channel_axis, [&] {
    return "weights have scales along axis " + std::to_string(q.axis) + ", must be along axis " +
           std::to_string(channel_axis) + ", the output channels";
  });
  for (int64_t zero_point : q.zero_points) {
    c.require(q.per_tensor() || zero_point == 0, [&] {
      return "weights have zero point " + std::to_string(zero_point) +
             ", with scales per channel they must be 0";
    });
    c.require(!wide || zero_point == 0, [&] {
      return "weights have zero point " + std::to_string(zero_point) +
             ", with int16 x it must be 0";
    });
  }
  if (wide) sums_of_int64(c);
  if (c.op.input(2) == kAbsent) return;
  const Tensor& bias = c.in(2);
  // TFLite Micro's convolution and fully connected take int32 beside int16 as well.
  const bool either = c.op.kind == OpKind::kConv2d || c.op.kind == OpKind::kFullyConnected;
  if (!wide) {
    c.require_type(bias, "bias", DType::kInt32);
  } else if (!either || bias.dtype != DType::kInt32) {
    c.require_type(bias, "bias beside int16", DType::kInt64);
  }
  c.require(bias.is_constant(), "bias is computed by the graph, expected a constant");
}

}  // namespace

/// int8 with a state of int16, as TFLite Micro defines it.
const char* const words::lstm = "int8, state int8 and int16";
void lstm(const Case& c) {
  const auto& names = info(c.op.kind).inputs;
  const Tensor &h = c.out(1), &cell = c.out(2);
  c.require_int8(c.in(0), "x");
  c.require_tflite(c.in(0), "x");
  c.require_int8(c.out(), "y");
  for (size_t i = 1; i <= 12; ++i) {
    c.require_type(c.in(i), names[i], i <= 8 ? DType::kInt8 : DType::kInt32);
    c.require(c.in(i).is_constant(),
              [&] { return names[i] + " is computed, expected a constant"; });
    if (i > 8) continue;
    c.require_quantized(c.in(i), names[i]);
    c.require(c.in(i).quantization.zero_point() == 0, [&] {
      return names[i] + " is " + type_of(c.in(i)) + ", a gate's weights must have zero point 0";
    });
  }
  c.require_int8(h, "h_last");
  c.require(h.quantization == c.out().quantization, [&] {
    return "h_last is " + type_of(h) + ", y is " + type_of(c.out()) +
           ", must have one quantisation: the state is what comes out";
  });
  c.require_type(cell, "c_last", DType::kInt16);
  c.require_int16(cell, "c_last");
  int power = 0;
  const bool exact = std::frexp(cell.quantization.scale(), &power) == 0.5f;
  c.require(exact && power - 1 >= -15 && power - 1 <= -9, [&] {
    return "c_last is " + type_of(cell) + ", its scale must be one of 2^-15 to 2^-9";
  });
  for (size_t i : {size_t{13}, size_t{14}}) {
    if (c.op.input(i) == kAbsent) continue;
    const Tensor& last = c.out(i - 12);
    c.require(c.in(i).dtype == last.dtype && c.in(i).quantization == last.quantization, [&] {
      return names[i] + " is " + type_of(c.in(i)) + ", must be the type of the state after it, " +
             type_of(last);
    });
  }
}

const char* const words::batch_matmul = "int8, int16, float32";
void batch_matmul(const Case& c) {
  c.require_activations({{&c.in(0), "a"}, {&c.in(1), "b"}, {&c.out(), "y"}});
  if (const std::vector<int64_t>& f = c.op.as<BatchMatmul>().fixed; !f.empty()) {
    c.require(f.size() == 3 && f[0] >= 0 && f[0] < int64_t{1} << 31 && f[1] >= 2 && f[1] <= 62,
              "fixed must hold a multiplier, 0..2^31 - 1, a shift, 2..62, and 0 or 1");
    c.require_int8(c.out(), "y beside fixed");
  }
  if (c.out().dtype == DType::kInt16) sums_of_int64(c, "a and b");
}

const char* const words::weighted =
    "int8 or int16, weights int8 per tensor or per channel, bias int32 or int64; float32, weights "
    "also int8";
void weighted(const Case& c) {
  weighted(c, 0);
}

const char* const words::weighted_depthwise =
    "int8 or int16, weights int8 per tensor or per channel, bias int32 or int64; float32, weights "
    "also int8";
void weighted_depthwise(const Case& c) {
  weighted(c, 3);
}

}  // namespace presil::ir::types
