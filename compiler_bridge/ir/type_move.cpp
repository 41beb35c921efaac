// Types of what only moves values.
#include <cmath>

#include "compiler_bridge/ir/type_case.h"

namespace presil::ir::types {

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
  if (c.op.as<Concat>().act == Activation::kNone) return;
  c.want(c.out().dtype != DType::kFloat32,
         "it has an activation, of float32 it wants none: an operator of its own behind it");
  c.want_int8(c.out(), "y");
}

namespace {

void want_indices(const Case& c, size_t input) {
  const Tensor& indices = c.in(input);
  c.want(indices.dtype == DType::kInt32 || indices.dtype == DType::kInt64,
         [&] { return "indices are " + type_of(indices) + ", want int32 or int64"; });
}

}  // namespace

void gather(const Case& c) {
  moved(c);
  want_indices(c, 1);
}

void select(const Case& c) {
  c.want_type(c.in(0), "condition", DType::kBool);
  for (const size_t i : {size_t{1}, size_t{2}}) {
    c.want(c.in(i).dtype == c.out().dtype && c.in(i).quantization == c.out().quantization, [&] {
      return std::string(i == 1 ? "a" : "b") + " is " + type_of(c.in(i)) + ", y is " +
             type_of(c.out()) +
             ", want the same type and quantisation: one of both is taken as it is";
    });
  }
}

void one_hot(const Case& c) {
  want_indices(c, 0);
  for (const size_t i : {size_t{1}, size_t{2}}) {
    c.want(c.in(i).dtype == c.out().dtype, [&] {
      return std::string(i == 1 ? "on" : "off") + " is " + type_of(c.in(i)) + ", y is " +
             type_of(c.out()) + ", want the same type";
    });
  }
}

/// Numbers as they are stored, whatever scale they have: from any type to any.
void cast(const Case&) {}

}  // namespace presil::ir::types
