// What the vector DSP makes of many elements: one.
#include "compiler_bridge/rules/rule.h"

namespace presil::rules {
namespace {

using K = ir::OpKind;
using D = ir::DType;

constexpr int64_t kMostBytes = 65536;  // driver/kernels/dsp/params.h: arg

Rule elements() {
  return of_types("x", {D::kInt8, D::kInt16, D::kInt32, D::kFloat32},
                  [](const Subject& s) -> const ir::Tensor& { return s.in(0); });
}

Rule along_the_axis() {
  return within("elements of int8 along the axis", 1, kMostBytes, "look for it in parts",
                [](const Subject& s) {
                  const auto axis = static_cast<size_t>(s.op.as<ir::Arg>().axis);
                  return s.in(0).dtype == D::kInt8 ? s.in(0).shape.at(axis) : 1;
                });
}

// LiteRT rounds it as the kernel does not: halves away from zero.
Rule narrow_sum() {
  return {"no int16 under xnnpack numerics",
          [](const Subject& s) -> std::optional<Finding> {
            const bool wide = s.in(0).dtype == D::kInt16;
            if (!wide || ir::by_fixed_point(s.graph.numerics)) return std::nullopt;
            return Finding{"x", ir::type_of(s.in(0)), "no int16 under xnnpack numerics"};
          },
          "take a mean, or tflite numerics"};
}

}  // namespace

std::vector<Entry> dsp_reduce_entries() {
  const std::vector<Rule> rules = {elements(), at_most_6_axes()};
  const std::vector<Rule> where = {elements(), along_the_axis(), at_most_6_axes()};
  const std::vector<std::string> kernels = {"reduce", "reduce_f32"};
  const char* types = "int8, int16, int32, float32";
  return {
      {K::kMean, "int8, int16, float32", rules, kernels},
      {K::kSum, types, {elements(), narrow_sum(), at_most_6_axes()}, kernels},
      {K::kReduceMax, types, rules, kernels},
      {K::kReduceMin, types, rules, kernels},
      {K::kTopK,
       "int8, int16, float32",
       {of_types("x", {D::kInt8, D::kInt16, D::kFloat32},
                 [](const Subject& s) -> const ir::Tensor& { return s.in(0); }),
        at_most_6_axes()},
       {"top_k"}},
      {K::kArgMax, "int8, int16, int32, float32 to int32, int64", where, {"arg"}},
      {K::kArgMin, "int8, int16, int32, float32 to int32, int64", where, {"arg"}},
  };
}

}  // namespace presil::rules
