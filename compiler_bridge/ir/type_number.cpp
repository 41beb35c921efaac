// Types of numbers as such: whole ones, comparisons, logic, the largest ones.
#include "compiler_bridge/ir/type_case.h"

namespace presil::ir::types {
namespace {

bool without_scale(const Tensor& tensor, DType dtype) {
  return tensor.dtype == dtype && !tensor.quantization.present();
}

bool whole_number(const Tensor& tensor) {
  return without_scale(tensor, DType::kInt32) || without_scale(tensor, DType::kInt64);
}

}  // namespace

/// Activations, or int32 or int64 without a scale, whose results wrap.
const char* const words::arithmetic = "int8, int16, int32, int64, float32";
void arithmetic(const Case& c) {
  if (!whole_number(c.out())) return elementwise(c);
  for (const auto& [tensor, subject] : {std::pair{&c.in(0), "a"}, std::pair{&c.in(1), "b"}}) {
    c.require_type_of_y(*tensor, subject);
    c.require(!tensor->quantization.present(), [&, t = tensor, w = subject] {
      return std::string(w) + " is " + type_of(*t) + ", y is " + type_of(c.out()) +
             ", must have no scale";
    });
  }
  c.require(c.op.as<Elementwise>().act == Activation::kNone,
            [&] { return "y is " + type_of(c.out()) + " and has an activation, must have none"; });
}

/// Values of one type are added up in it; int8 as TFLite Micro does.
const char* const words::cumsum = "int8, int32, int64, float32";
void cumsum(const Case& c) {
  const Tensor &x = c.in(0), &y = c.out();
  if (whole_number(x) || x.dtype == DType::kFloat32) return moved(c);
  c.require_int8(x, "x");
  c.require_int8(y, "y");
  c.require_tflite(x, "x");
}

/// What is divided without a rest, or only a rest is left of.
const char* const words::whole = "int32, int64, float32";
void whole(const Case& c) {
  for (const auto& [tensor, subject] :
       {std::pair{&c.in(0), "a"}, std::pair{&c.in(1), "b"}, std::pair{&c.out(), "y"}}) {
    c.require(whole_number(*tensor) || tensor->dtype == DType::kFloat32,
              [&, t = tensor, w = subject] {
                return std::string(w) + " is " + type_of(*t) +
                       ", must be int32 or int64 without a scale, or float32";
              });
    c.require_type_of_y(*tensor, subject);
  }
}

/// int8 stands for its real value; others are compared as they are stored.
const char* const words::compared = "int8, int32, int64, bool, float32 to bool";
void compared(const Case& c) {
  const Tensor &a = c.in(0), &b = c.in(1);
  c.require(a.dtype == b.dtype, [&] {
    return "a is " + type_of(a) + ", b is " + type_of(b) + ", must have the same type";
  });
  const bool plain = whole_number(a) || without_scale(a, DType::kBool);
  c.require(plain || a.dtype == DType::kInt8 || a.dtype == DType::kFloat32, [&] {
    return "a is " + type_of(a) +
           ", must be int8, float32, bool, or int32 or int64 without a scale";
  });
  for (const auto& [tensor, subject] : {std::pair{&a, "a"}, std::pair{&b, "b"}}) {
    if (tensor->dtype != DType::kInt8) continue;
    c.require_quantized(*tensor, subject);
    c.require(tensor->quantization.scale() < 1.0f, [&, t = tensor, w = subject] {
      return std::string(w) + " is " + type_of(*t) + ", must have a scale below 1";
    });
  }
  c.require_type(c.out(), "y", DType::kBool);
}

const char* const words::logical = "bool";
void logical(const Case& c) {
  const auto& names = info(c.op.kind).inputs;
  for (size_t i = 0; i < c.op.inputs.size(); ++i) c.require_type(c.in(i), names[i], DType::kBool);
  c.require_type(c.out(), "y", DType::kBool);
}

const char* const words::top_k = "int8, int16, int32, int64, float32";
void top_k(const Case& c) {
  picked(c);
  c.require_type(c.out(1), "indices", DType::kInt32);
}

}  // namespace presil::ir::types
