// Types of what only moves values.
#include <cmath>

#include "compiler_bridge/ir/type_case.h"

namespace presil::ir::types {

/// Values are only moved: any type, the same on both sides, with the same meaning.
const char* const words::moved = "any";
void moved(const Case& c) {
  c.require(c.in(0).dtype == c.out().dtype && c.in(0).quantization == c.out().quantization, [&] {
    return "x is " + type_of(c.in(0)) + ", y is " + type_of(c.out()) +
           ", must have the same type and quantisation: the operator moves values";
  });
}

const char* const words::interleave = "any";
void interleave(const Case& c) {
  for (size_t i = 0; i < c.op.inputs.size(); ++i) {
    c.require(c.in(i).dtype == c.out().dtype && c.in(i).quantization == c.out().quantization, [&] {
      return "input " + std::to_string(i) + " is " + type_of(c.in(i)) + ", y is " +
             type_of(c.out()) +
             ", must have the same type and quantisation: the operator moves values";
    });
  }
}

const char* const words::concat = "any";
void concat(const Case& c) {
  for (size_t i = 0; i < c.op.inputs.size(); ++i) {
    c.require_type(c.in(i), "input " + std::to_string(i), c.out().dtype);
    if (c.in(i).quantization == c.out().quantization) continue;
    c.require_int8(c.in(i), "input " + std::to_string(i));
    c.require_int8(c.out(), "y");
    if (!c.op.as<Concat>().in_float) continue;
    const float ratio = c.in(i).quantization.scale() * (1.0f / c.out().quantization.scale());
    c.require(std::isfinite(256.0f * ratio), [&] {
      return "input " + std::to_string(i) + " is " + type_of(c.in(i)) + ", y is " +
             type_of(c.out()) + ", must have scales whose ratio is a float32";
    });
  }
  if (c.op.as<Concat>().act == Activation::kNone) return;
  c.require(c.out().dtype != DType::kFloat32,
            "it has an activation, of float32 it must have none: write it as an operator of its "
            "own after this one");
  c.require_int8(c.out(), "y");
}

namespace {

void require_indices(const Case& c, size_t input) {
  const Tensor& indices = c.in(input);
  c.require(indices.dtype == DType::kInt32 || indices.dtype == DType::kInt64,
            [&] { return "indices are " + type_of(indices) + ", must be int32 or int64"; });
}

}  // namespace

const char* const words::gather = "any, indices int32 or int64";
void gather(const Case& c) {
  moved(c);
  require_indices(c, 1);
}

const char* const words::select = "any, condition bool";
void select(const Case& c) {
  c.require_type(c.in(0), "condition", DType::kBool);
  for (const size_t i : {size_t{1}, size_t{2}}) {
    c.require(c.in(i).dtype == c.out().dtype && c.in(i).quantization == c.out().quantization, [&] {
      return std::string(i == 1 ? "a" : "b") + " is " + type_of(c.in(i)) + ", y is " +
             type_of(c.out()) +
             ", must have the same type and quantisation: one of both is taken as it is";
    });
  }
}

const char* const words::one_hot = "any, indices int32 or int64";
void one_hot(const Case& c) {
  require_indices(c, 0);
  for (const size_t i : {size_t{1}, size_t{2}}) {
    c.require(c.in(i).dtype == c.out().dtype, [&] {
      return std::string(i == 1 ? "on" : "off") + " is " + type_of(c.in(i)) + ", y is " +
             type_of(c.out()) + ", must have the same type";
    });
  }
}

/// Numbers as they are stored, whatever scale they have: from any type to any.
const char* const words::cast = "any to any";
void cast(const Case&) {}

}  // namespace presil::ir::types
