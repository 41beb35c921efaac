// Types of functions of values.
#include "compiler_bridge/ir/type_case.h"

namespace presil::ir::types {

void elementwise(const Case& c) {
  c.want_activations({{&c.in(0), "a"}, {&c.in(1), "b"}, {&c.out(), "y"}});
}

void activations(const Case& c) {
  c.want_activations({{&c.in(0), "x"}, {&c.out(), "y"}});
}

void unary_int8(const Case& c) {
  if (c.floats({{&c.in(0), "x"}})) return;
  c.want_int8(c.in(0), "x");
  c.want_int8(c.out(), "y");
}

/// Pools and bilinear resize work on int8 and keep its quantisation.
void kept_int8(const Case& c) {
  unary_int8(c);
  moved(c);
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

void floats_alone(const Case& c) {
  const auto& names = info(c.op.kind).inputs;
  for (size_t i = 0; i < c.op.inputs.size(); ++i) {
    c.want(c.in(i).dtype == DType::kFloat32, [&] {
      return names[i] + " is " + type_of(c.in(i)) + ", the operator takes float32 alone";
    });
  }
  c.want_type(c.out(), "y", DType::kFloat32);
}

void lut(const Case& c) {
  c.want_type(c.in(0), "x", DType::kInt8);
  c.want_type(c.in(1), "table", DType::kInt8);
  c.want(c.in(1).is_constant(), "table is computed by the graph, wants a constant");
  c.want_type(c.out(), "y", DType::kInt8);
}

}  // namespace presil::ir::types
