// Types of functions of values.
#include <cmath>

#include "compiler_bridge/ir/type_case.h"

namespace presil::ir::types {

const char* const words::elementwise = "int8, int16, float32";
void elementwise(const Case& c) {
  if (const auto* e = std::get_if<Elementwise>(&c.op.attributes); e && !e->fixed.empty()) {
    const std::vector<int64_t>& f = e->fixed;
    const auto scale = [&](size_t i) {
      return f[i] >= 0 && f[i] < int64_t{1} << 31 && f[i + 1] >= -31 && f[i + 1] <= 30;
    };
    c.require(
        f.size() == 7 && f[0] >= 0 && f[0] <= 22 && scale(1) && scale(3) && scale(5),
        "fixed must hold left, 0..22, and three multipliers, 0..2^31 - 1, and shifts, -31..30");
    c.require_int8(c.in(0), "a"), c.require_int8(c.in(1), "b"), c.require_int8(c.out(), "y");
  }
  c.require_activations({{&c.in(0), "a"}, {&c.in(1), "b"}, {&c.out(), "y"}});
  const bool of_micro = c.op.kind == OpKind::kSquaredDifference && c.out().dtype == DType::kInt16;
  if (of_micro) c.require_tflite(c.out(), "y");
}

const char* const words::activations = "int8, int16, float32";
void activations(const Case& c) {
  c.require_activations({{&c.in(0), "x"}, {&c.out(), "y"}});
}

namespace {

bool plain_integer(DType type) {
  return type == DType::kInt32 || type == DType::kInt64;
}

/// int8 or int16 with a scale, or float32, int32 or int64 without one.
void require_number(const Case& c, const Tensor& tensor, const char* subject) {
  const bool plain = plain_integer(tensor.dtype) && !tensor.quantization.present();
  const bool narrow = tensor.dtype == DType::kInt8 || tensor.dtype == DType::kInt16;
  c.require(plain || narrow || tensor.dtype == DType::kFloat32, [&] {
    return std::string(subject) + " is " + type_of(tensor) +
           ", must be int8, int16, float32, or int32 or int64 without a scale";
  });
  if (tensor.dtype == DType::kInt16) c.require_int16(tensor, subject);
  if (tensor.dtype == DType::kInt8) c.require_quantized(tensor, subject);
}

void require_like_y(const Case& c, const Tensor& tensor, const char* subject) {
  require_number(c, tensor, subject);
  c.require(tensor.dtype == c.out().dtype && tensor.quantization == c.out().quantization, [&] {
    return std::string(subject) + " is " + type_of(tensor) + ", y is " + type_of(c.out()) +
           ", must have the same type and quantisation: stored values are compared";
  });
}

}  // namespace

/// One of two values, as they are stored.
const char* const words::chosen = "int8, int16, int32, int64, float32";
void chosen(const Case& c) {
  require_like_y(c, c.in(0), "a");
  require_like_y(c, c.in(1), "b");
}

/// One of many.
const char* const words::picked = "int8, int16, int32, int64, float32";
void picked(const Case& c) {
  require_like_y(c, c.in(0), "x");
}

const char* const words::sum = "int8, int16, int32, int64, float32";
void sum(const Case& c) {
  if (const std::vector<int64_t>& f = c.op.as<Reduce>().fixed; !f.empty()) {
    const bool once = f.size() == 3 && (f[2] != 0 || f[1] <= 31);
    c.require(
        once && f[0] >= 0 && f[0] < int64_t{1} << 31 && f[1] >= 2 && f[1] <= 62,
        "fixed must hold a multiplier, a shift, 2..62, and 1 to round twice, or a shift to 31");
    c.require_int8(c.in(0), "x"), c.require_int8(c.out(), "y");
  }
  if (!plain_integer(c.in(0).dtype)) return activations(c);
  picked(c);
}

/// Of int8 and int16 every product is brought to y's root of as many scales as there are factors.
const char* const words::product = "int8, int16, int32, int64, float32";
void product(const Case& c) {
  if (plain_integer(c.in(0).dtype)) return picked(c);
  activations(c);
  if (c.out().dtype == DType::kFloat32 || c.out().elements() == 0) return;
  const double count = static_cast<double>(c.in(0).elements() / c.out().elements());
  const double root = std::pow(static_cast<double>(c.out().quantization.scale()), 1 / count);
  const double ratio = static_cast<double>(c.in(0).quantization.scale()) / root;
  c.require(ratio < 127, [&] {
    return "the scale of x is " + std::to_string(ratio) + " of the root of y's for " +
           std::to_string(static_cast<int64_t>(count)) + " factors, must be less than 127";
  });
}

const char* const words::arg = "int8, int16, int32, int64, float32 to int32, int64";
void arg(const Case& c) {
  require_number(c, c.in(0), "x");
  c.require(plain_integer(c.out().dtype),
            [&] { return "y is " + type_of(c.out()) + ", must be int32 or int64"; });
}

/// Of one value, with scales of their own.
const char* const words::function = "int8, float32";
void function(const Case& c) {
  unary_int8(c);
}

/// int16 under both rule sets: by LiteRT's own kernel. The scales keep its quotients finite.
const char* const words::interpolated = "int8, int16, float32";
void interpolated(const Case& c) {
  if (c.out().dtype != DType::kInt16) return function(c);
  c.require_type(c.in(0), "x", DType::kInt16);
  for (const auto& [tensor, subject] : {std::pair{&c.in(0), "x"}, std::pair{&c.out(), "y"}}) {
    c.require_quantized(*tensor, subject);
    c.require(tensor->quantization.zero_point() == 0, [&, t = tensor, w = subject] {
      return std::string(w) + " is " + type_of(*t) + ", int16 must have zero point 0";
    });
  }
  // exp is beyond float32 from 88.7 on: 32768 steps must stay below.
  const int most = c.op.kind == OpKind::kExp ? -9 : 64;
  c.require(c.in(0).quantization.scale() <= std::ldexp(1.0f, most), [&] {
    return "x is " + type_of(c.in(0)) + ", its scale must be at most 2^" + std::to_string(most);
  });
  c.require(c.out().quantization.scale() >= 0x1p-32f,
            [&] { return "y is " + type_of(c.out()) + ", its scale must be at least 2^-32"; });
}

/// The runtime turns the sign of what is stored.
const char* const words::neg = "int8, float32";
void neg(const Case& c) {
  unary_int8(c);
  if (c.out().dtype == DType::kFloat32) return;
  const Quantization &x = c.in(0).quantization, &y = c.out().quantization;
  c.require(x.scale() == y.scale() && x.zero_point() == -y.zero_point(), [&] {
    return "x is " + type_of(c.in(0)) + ", y is " + type_of(c.out()) +
           ", must have one scale and zero points of opposite sign: stored values are negated";
  });
}

/// alpha is int8 beside int16 too.
const char* const words::prelu = "int8, int16, alpha int8; float32";
void prelu(const Case& c) {
  activations(c);
  if (c.floats({{&c.in(1), "alpha"}})) return;
  c.require_int8(c.in(1), "alpha");
}

const char* const words::unary_int8 = "int8, float32";
void unary_int8(const Case& c) {
  if (c.floats({{&c.in(0), "x"}})) return;
  c.require_int8(c.in(0), "x");
  c.require_int8(c.out(), "y");
}

/// Pools and bilinear resize keep the quantisation.
const char* const words::kept = "int8, int16, float32";
void kept(const Case& c) {
  activations(c);
  moved(c);
}

/// Results within -1..1; of int16 in steps of 2^-15.
const char* const words::into_unit = "int8, int16, float32";
void into_unit(const Case& c) {
  if (c.out().dtype != DType::kInt16) return unary_int8(c);
  activations(c);
  c.require(c.out().quantization.scale() == 0x1p-15f,
            [&] { return "y is " + type_of(c.out()) + ", must be q(2^-15, 0)"; });
  c.require(c.op.kind == OpKind::kSoftmax || c.in(0).quantization.scale() < 4.0f,
            [&] { return "x is " + type_of(c.in(0)) + ", must have a scale below 4"; });
}

/// Of int8 the runtimes have one scale of y.
const char* const words::log_softmax = "int8, float32";
void log_softmax(const Case& c) {
  unary_int8(c);
  if (c.out().dtype == DType::kFloat32) return;
  const Quantization &x = c.in(0).quantization, &y = c.out().quantization;
  c.require(x.scale() >= 0x1p-26f,
            [&] { return "x is " + type_of(c.in(0)) + ", its scale must be at least 2^-26"; });
  c.require(y.scale() == 0x1p-4f && y.zero_point() == 127,
            [&] { return "y is " + type_of(c.out()) + ", must be q(1/16, 127)"; });
}

const char* const words::quantize =
    "float32, int8, uint8, int16 or int32 to int8, uint8, int16 or int32";
void quantize(const Case& c) {
  const DType from = c.in(0).dtype;
  const DType to = c.out().dtype;
  const auto is_wide = [](DType type) { return type == DType::kInt16 || type == DType::kInt32; };
  const auto is_byte = [](DType type) { return type == DType::kInt8 || type == DType::kUint8; };
  c.require(from == DType::kFloat32 || is_byte(from) || is_wide(from), [&] {
    return "x is " + type_of(c.in(0)) + ", must be float32, int8, uint8, int16 or int32";
  });
  c.require(is_byte(to) || is_wide(to),
            [&] { return "y is " + type_of(c.out()) + ", must be int8, uint8, int16 or int32"; });
  const bool neither = is_wide(from) ? to == DType::kUint8 : from == DType::kUint8 && is_wide(to);
  const bool all_wide = (from == DType::kInt32 || from == DType::kFloat32) && to == DType::kInt32;
  c.require(!neither && !all_wide, [&] {
    return "x is " + type_of(c.in(0)) + ", y is " + type_of(c.out()) +
           ", no rule leads from one to the other; put an int8 between";
  });
  for (const auto& [tensor, subject] : {std::pair{&c.in(0), "x"}, std::pair{&c.out(), "y"}}) {
    if (tensor->dtype == DType::kFloat32) continue;
    tensor->dtype == DType::kInt16 ? c.require_int16(*tensor, subject)
                                   : c.require_quantized(*tensor, subject);
  }
}

const char* const words::dequantize = "int8, uint8 or int16 to float32";
void dequantize(const Case& c) {
  const DType from = c.in(0).dtype;
  c.require(from == DType::kInt8 || from == DType::kUint8 || from == DType::kInt16,
            [&] { return "x is " + type_of(c.in(0)) + ", must be int8, uint8 or int16"; });
  from == DType::kInt16 ? c.require_int16(c.in(0), "x") : c.require_quantized(c.in(0), "x");
  c.require_type(c.out(), "y", DType::kFloat32);
}

const char* const words::floats_alone = "float32";
void floats_alone(const Case& c) {
  const auto& names = info(c.op.kind).inputs;
  for (size_t i = 0; i < c.op.inputs.size(); ++i) {
    c.require(c.in(i).dtype == DType::kFloat32, [&] {
      return names[i] + " is " + type_of(c.in(i)) + ", the operator takes float32 alone";
    });
  }
  c.require_type(c.out(), "y", DType::kFloat32);
}

/// float32, or int8 throughout.
const char* const words::quotient = "int8, float32";
void quotient(const Case& c) {
  if (c.out().dtype == DType::kFloat32) return floats_alone(c);
  c.require_int8(c.in(0), "a");
  c.require_int8(c.in(1), "b");
  c.require_int8(c.out(), "y");
}

/// By the stored byte.
const char* const words::lut = "int8, uint8";
void lut(const Case& c) {
  for (const auto& [tensor, subject] : {std::pair{&c.in(0), "x"}, std::pair{&c.out(), "y"}}) {
    if (tensor->dtype != DType::kUint8) c.require_type(*tensor, subject, DType::kInt8);
  }
  c.require_type(c.in(1), "table", DType::kInt8);
  c.require(c.in(1).is_constant(), "table is computed by the graph, expected a constant");
}

}  // namespace presil::ir::types
