// Which element types each kind of operator is defined for, and what quantisation it wants.
#include "compiler_bridge/ir/type_rules.h"

#include <cmath>
#include <initializer_list>

#include "rtl/soc/refusal.h"

namespace presil::ir {
namespace {

struct Case {
  const Graph& graph;
  const Op& op;

  const Tensor& in(size_t i) const { return graph.tensor(op.inputs.at(i)); }
  const Tensor& out(size_t i = 0) const { return graph.tensor(op.outputs.at(i)); }
  void want(bool ok, const char* what) const {
    want(ok, [&] { return what; });
  }
  /// The sentence is put together only when it is said.
  template <class What>
  auto want(bool ok, const What& what) const -> decltype(what(), void()) {
    if (!ok) throw Refusal("ir", describe(graph, op) + ": " + what());
  }
  void want_type(const Tensor& tensor, const std::string& who, DType dtype) const {
    want(tensor.dtype == dtype, [&] {
      return who + " is " + type_of(tensor) + ", wants " + std::string(to_string(dtype));
    });
  }
  void want_quantized(const Tensor& tensor, const std::string& who) const {
    want(tensor.quantization.per_tensor(),
         [&] { return who + " is " + type_of(tensor) + ", wants one scale and zero point"; });
  }
  void want_int8(const Tensor& tensor, const std::string& who) const {
    want_type(tensor, who, DType::kInt8);
    want_quantized(tensor, who);
  }
  /// int16 stands for its scale alone, and no rule set but tflite has operators for it.
  void want_int16(const Tensor& tensor, const std::string& who) const {
    want_quantized(tensor, who);
    want(tensor.quantization.zero_point() == 0,
         [&] { return who + " is " + type_of(tensor) + ", int16 wants a zero point of 0"; });
    want_tflite(tensor, who);
  }
  void want_tflite(const Tensor& tensor, const std::string& who) const {
    want(graph.numerics == Numerics::kTflite, [&] {
      return who + " is " + type_of(tensor) +
             ", which the operator takes under tflite numerics only: XNNPACK has none for it";
    });
  }
  /// What operators compute with: int8, or int16 where x and y both are.
  void want_activations(std::initializer_list<std::pair<const Tensor*, const char*>> list) const {
    for (const auto& [tensor, who] : list) {
      want(tensor->dtype == DType::kInt8 || tensor->dtype == DType::kInt16,
           [&, t = tensor, w = who] {
             return std::string(w) + " is " + type_of(*t) + ", wants int8 or int16";
           });
      want(tensor->dtype == out().dtype, [&, t = tensor, w = who] {
        return std::string(w) + " is " + type_of(*t) + ", y is " + type_of(out()) +
               ", want the same type";
      });
      tensor->dtype == DType::kInt16 ? want_int16(*tensor, who) : want_quantized(*tensor, who);
    }
  }
};

/// Sums of int64 are brought to y with 16 bits of the scale, for which TFLite Micro has room up to
/// 2^7.
void sums_of_int64(const Case& c, const char* factors = "x and weights") {
  const auto scale = [](const Tensor& tensor, size_t i) {
    return static_cast<double>(tensor.quantization.scales[i]);
  };
  for (size_t i = 0; i < c.in(1).quantization.scales.size(); ++i) {
    const double ratio = scale(c.in(0), 0) * scale(c.in(1), i) / scale(c.out(), 0);
    c.want(ratio < 127, [&] {
      return std::string("a product of the scales of ") + factors + " is " + std::to_string(ratio) +
             " of y's, wants less than 127 with int16";
    });
  }
}

/// x, constant weights and bias, y of convolutions and fully connected. Weights have one scale and
/// zero point, or one scale per output channel and zero points of 0.
void weighted(const Case& c, int channel_axis) {
  c.want_activations({{&c.in(0), "x"}, {&c.out(), "y"}});
  const bool wide = c.in(0).dtype == DType::kInt16;
  const Tensor& weights = c.in(1);
  c.want_type(weights, "weights", DType::kInt8);
  if (c.op.kind != OpKind::kFullyConnected || wide) {
    c.want(weights.is_constant(), "weights are computed by the graph, want a constant");
  } else if (!weights.is_constant()) {
    c.want(weights.quantization.per_tensor(), [&] {
      return "weights are " + type_of(weights) + ", computed ones want one scale and zero point";
    });
  }
  const Quantization& q = weights.quantization;
  c.want(q.present(), [&] { return "weights are " + type_of(weights) + ", want a scale"; });
  c.want(q.axis < 0 || q.axis == channel_axis, [&] {
    return "weights have scales along axis " + std::to_string(q.axis) + ", want them along axis " +
           std::to_string(channel_axis) + ", the output channels";
  });
  for (int64_t zero_point : q.zero_points) {
    c.want(q.per_tensor() || zero_point == 0, [&] {
      return "weights have zero point " + std::to_string(zero_point) +
             ", with scales per channel they want 0";
    });
    c.want(!wide || zero_point == 0, [&] {
      return "weights have zero point " + std::to_string(zero_point) + ", with int16 x they want 0";
    });
  }
  if (wide) sums_of_int64(c);
  if (c.op.input(2) == kAbsent) return;
  const Tensor& bias = c.in(2);
  // TFLite Micro's convolution and fully connected take int32 beside int16 as well.
  const bool either = c.op.kind == OpKind::kConv2d || c.op.kind == OpKind::kFullyConnected;
  if (!wide) {
    c.want_type(bias, "bias", DType::kInt32);
  } else if (!either || bias.dtype != DType::kInt32) {
    c.want_type(bias, "bias beside int16", DType::kInt64);
  }
  c.want(bias.is_constant(), "bias is computed by the graph, wants a constant");
}

/// int8 with a state of int16, as TFLite Micro defines it.
void lstm(const Case& c) {
  const auto& names = info(c.op.kind).inputs;
  const Tensor &h = c.out(1), &cell = c.out(2);
  c.want_int8(c.in(0), "x");
  c.want_tflite(c.in(0), "x");
  c.want_int8(c.out(), "y");
  for (size_t i = 1; i <= 12; ++i) {
    c.want_type(c.in(i), names[i], i <= 8 ? DType::kInt8 : DType::kInt32);
    c.want(c.in(i).is_constant(), [&] { return names[i] + " is computed, wants a constant"; });
    if (i > 8) continue;
    c.want_quantized(c.in(i), names[i]);
    c.want(c.in(i).quantization.zero_point() == 0, [&] {
      return names[i] + " is " + type_of(c.in(i)) + ", a gate's weights want zero point 0";
    });
  }
  c.want_int8(h, "h_last");
  c.want(h.quantization == c.out().quantization, [&] {
    return "h_last is " + type_of(h) + ", y is " + type_of(c.out()) +
           ", want one quantisation: the state is what comes out";
  });
  c.want_type(cell, "c_last", DType::kInt16);
  c.want_int16(cell, "c_last");
  int power = 0;
  const bool exact = std::frexp(cell.quantization.scale(), &power) == 0.5f;
  c.want(exact && power - 1 >= -15 && power - 1 <= -9, [&] {
    return "c_last is " + type_of(cell) + ", its scale wants to be one of 2^-15 to 2^-9";
  });
  for (size_t i : {size_t{13}, size_t{14}}) {
    if (c.op.input(i) == kAbsent) continue;
    const Tensor& last = c.out(i - 12);
    c.want(c.in(i).dtype == last.dtype && c.in(i).quantization == last.quantization, [&] {
      return names[i] + " is " + type_of(c.in(i)) + ", wants the type of the state behind, " +
             type_of(last);
    });
  }
}

void batch_matmul(const Case& c) {
  c.want_activations({{&c.in(0), "a"}, {&c.in(1), "b"}, {&c.out(), "y"}});
  if (c.out().dtype == DType::kInt16) sums_of_int64(c, "a and b");
}

void elementwise(const Case& c) {
  c.want_activations({{&c.in(0), "a"}, {&c.in(1), "b"}, {&c.out(), "y"}});
}

void leaky_relu(const Case& c) {
  c.want_activations({{&c.in(0), "x"}, {&c.out(), "y"}});
}

void unary_int8(const Case& c) {
  c.want_int8(c.in(0), "x");
  c.want_int8(c.out(), "y");
}

/// Values are only moved: any type, the same on both sides, with the same meaning.
void moved(const Case& c) {
  c.want(c.in(0).dtype == c.out().dtype && c.in(0).quantization == c.out().quantization, [&] {
    return "x is " + type_of(c.in(0)) + ", y is " + type_of(c.out()) +
           ", want the same type and quantisation: the operator moves values";
  });
}

void interleave(const Case& c) {
  for (size_t i = 0; i < c.op.inputs.size(); ++i) {
    c.want(c.in(i).dtype == c.out().dtype && c.in(i).quantization == c.out().quantization, [&] {
      return "input " + std::to_string(i) + " is " + type_of(c.in(i)) + ", y is " +
             type_of(c.out()) + ", want the same type and quantisation: the operator moves values";
    });
  }
}

/// Pools and bilinear resize work on int8 and keep its quantisation.
void kept_int8(const Case& c) {
  unary_int8(c);
  moved(c);
}

void concat(const Case& c) {
  for (size_t i = 0; i < c.op.inputs.size(); ++i) {
    c.want_type(c.in(i), "input " + std::to_string(i), c.out().dtype);
    if (c.in(i).quantization == c.out().quantization) continue;
    c.want_int8(c.in(i), "input " + std::to_string(i));
    c.want_int8(c.out(), "y");
    if (!c.op.as<Concat>().in_float) continue;
    const float ratio = c.in(i).quantization.scale() * (1.0f / c.out().quantization.scale());
    c.want(std::isfinite(256.0f * ratio), [&] {
      return "input " + std::to_string(i) + " is " + type_of(c.in(i)) + ", y is " +
             type_of(c.out()) + ", want scales whose ratio is a float32";
    });
  }
  if (c.op.as<Concat>().act != Activation::kNone) c.want_int8(c.out(), "y");
}

void quantize(const Case& c) {
  const DType from = c.in(0).dtype;
  const DType to = c.out().dtype;
  const auto is_wide = [](DType type) { return type == DType::kInt16 || type == DType::kInt32; };
  const auto is_byte = [](DType type) { return type == DType::kInt8 || type == DType::kUint8; };
  c.want(from == DType::kFloat32 || is_byte(from) || is_wide(from), [&] {
    return "x is " + type_of(c.in(0)) + ", wants float32, int8, uint8, int16 or int32";
  });
  c.want(is_byte(to) || is_wide(to),
         [&] { return "y is " + type_of(c.out()) + ", wants int8, uint8, int16 or int32"; });
  const bool neither = is_wide(from) ? to == DType::kUint8 : from == DType::kUint8 && is_wide(to);
  const bool all_wide = (from == DType::kInt32 || from == DType::kFloat32) && to == DType::kInt32;
  c.want(!neither && !all_wide, [&] {
    return "x is " + type_of(c.in(0)) + ", y is " + type_of(c.out()) +
           ", no rule leads from one to the other; put an int8 between";
  });
  for (const auto& [tensor, who] : {std::pair{&c.in(0), "x"}, std::pair{&c.out(), "y"}}) {
    if (tensor->dtype == DType::kFloat32) continue;
    tensor->dtype == DType::kInt16 ? c.want_int16(*tensor, who) : c.want_quantized(*tensor, who);
    if (tensor->dtype == DType::kInt32) c.want_tflite(*tensor, who);
  }
}

void dequantize(const Case& c) {
  const DType from = c.in(0).dtype;
  c.want(from == DType::kInt8 || from == DType::kUint8 || from == DType::kInt16,
         [&] { return "x is " + type_of(c.in(0)) + ", wants int8, uint8 or int16"; });
  from == DType::kInt16 ? c.want_int16(c.in(0), "x") : c.want_quantized(c.in(0), "x");
  c.want_type(c.out(), "y", DType::kFloat32);
}

void lut(const Case& c) {
  c.want_type(c.in(0), "x", DType::kInt8);
  c.want_type(c.in(1), "table", DType::kInt8);
  c.want(c.in(1).is_constant(), "table is computed by the graph, wants a constant");
  c.want_type(c.out(), "y", DType::kInt8);
}

void yolo_decode(const Case& c) {
  c.want_int8(c.in(0), "head");
  c.want_type(c.in(1), "sigmoid_table", DType::kFloat32);
  c.want_type(c.in(2), "exp_table", DType::kFloat32);
  c.want(c.in(1).is_constant() && c.in(2).is_constant(), "tables want to be constants");
  c.want_type(c.out(), "rows", DType::kFloat32);
}

void nms(const Case& c) {
  for (size_t i = 0; i < c.op.inputs.size(); ++i) c.want_type(c.in(i), "rows", DType::kFloat32);
  c.want_type(c.out(0), "detections", DType::kFloat32);
  c.want_type(c.out(1), "count", DType::kInt32);
}

/// A box must not be inside out, whatever the network computes: only the anchors' sides decide
/// that.
void check_sides(const Case& c, const Tensor& anchors) {
  for (int64_t i = 0; i < anchors.elements(); ++i) {
    const auto at = static_cast<size_t>(i);
    const float value =
        anchors.dtype == DType::kFloat32
            ? anchors.values<float>()[at]
            : static_cast<float>(anchors.values<int8_t>()[at] - anchors.quantization.zero_point()) *
                  anchors.quantization.scale();
    c.want(std::isfinite(value) && (i % 4 < 2 || value >= 0), [&] {
      return "anchor " + std::to_string(i / 4) + " has " + std::to_string(value) + " as its " +
             (i % 4 < 2 ? "centre, wants a number" : "side, wants 0 or more");
    });
  }
}

void detection_post_process(const Case& c) {
  for (const auto& [i, who] : {std::pair{size_t{0}, "boxes"}, {1, "scores"}, {2, "anchors"}}) {
    const Tensor& tensor = c.in(i);
    c.want(tensor.dtype == DType::kInt8 || tensor.dtype == DType::kFloat32, [&, w = who] {
      return std::string(w) + " are " + type_of(tensor) + ", want int8 or float32";
    });
    if (tensor.dtype == DType::kInt8) c.want_int8(tensor, who);
  }
  c.want(c.in(0).dtype == c.in(2).dtype, [&] {
    return "boxes are " + type_of(c.in(0)) + ", anchors " + type_of(c.in(2)) +
           ", want the same type";
  });
  c.want(c.in(2).is_constant(), "anchors are computed by the graph, want constants");
  check_sides(c, c.in(2));
  for (const auto& [i, who] :
       {std::pair{size_t{0}, "y"}, {1, "y_classes"}, {2, "y_scores"}, {3, "count"}}) {
    c.want_type(c.out(i), who, DType::kFloat32);
  }
}

}  // namespace

void check_types(const Graph& graph, const Op& op) {
  const Case c{graph, op};
  switch (op.kind) {
    case OpKind::kConv2d:
    case OpKind::kTransposeConv2d:
    case OpKind::kFullyConnected:
      return weighted(c, 0);
    case OpKind::kDepthwiseConv2d:
      return weighted(c, 3);
    case OpKind::kBatchMatmul:
      return batch_matmul(c);
    case OpKind::kLstm:
      return lstm(c);
    case OpKind::kAdd:
    case OpKind::kSub:
    case OpKind::kMul:
      return elementwise(c);
    case OpKind::kAveragePool2d:
    case OpKind::kMaxPool2d:
    case OpKind::kResizeBilinear:
      return kept_int8(c);
    case OpKind::kMean:
    case OpKind::kSoftmax:
    case OpKind::kRelu:
    case OpKind::kRelu6:
    case OpKind::kHardSwish:
    case OpKind::kLogistic:
    case OpKind::kTanh:
      return unary_int8(c);
    case OpKind::kLeakyRelu:
      return leaky_relu(c);
    case OpKind::kReshape:
    case OpKind::kPad:
    case OpKind::kTranspose:
    case OpKind::kStridedSlice:
    case OpKind::kResizeNearest:
      return moved(c);
    case OpKind::kConcat:
      return concat(c);
    case OpKind::kInterleave:
      return interleave(c);
    case OpKind::kQuantize:
      return quantize(c);
    case OpKind::kDequantize:
      return dequantize(c);
    case OpKind::kLut:
      return lut(c);
    case OpKind::kYoloDecode:
      return yolo_decode(c);
    case OpKind::kNms:
      return nms(c);
    case OpKind::kDetectionPostProcess:
      return detection_post_process(c);
  }
}

}  // namespace presil::ir
