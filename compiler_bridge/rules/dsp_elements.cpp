// What the vector DSP computes element by element. Axes are those that a kernel walks along:
// PRESIL_DSP_MAX_RANK, as many as the host's kernels have.
#include <presil/dsp_kernel.h>

#include "compiler_bridge/rules/rule.h"
#include "driver/kernels/host/kernels.h"

namespace presil::rules {

Rule of_types(const std::string& what, std::vector<ir::DType> types,
              std::function<const ir::Tensor&(const Subject&)> of) {
  std::string names;
  for (size_t i = 0; i < types.size(); ++i) {
    names += (i == 0 ? "" : i + 1 == types.size() ? " or " : ", ");
    names += ir::to_string(types[i]);
  }
  return {what + " " + names,
          [=](const Subject& s) -> std::optional<Finding> {
            const ir::Tensor& tensor = of(s);
            if (std::count(types.begin(), types.end(), tensor.dtype) != 0) return std::nullopt;
            return Finding{what, ir::type_of(tensor), names};
          },
          "compute it with values of such a type"};
}

namespace {

static_assert(PRESIL_DSP_MAX_RANK == PRESIL_KERNEL_MAX_RANK, "one limit for both");

using K = ir::OpKind;
using D = ir::DType;

Rule results(std::vector<D> types) {
  return of_types("y", std::move(types),
                  [](const Subject& s) -> const ir::Tensor& { return s.out(); });
}

// Of int8 without scales the operator adds the stored numbers.
Rule with_scales() {
  return {"int8 with a scale",
          [](const Subject& s) -> std::optional<Finding> {
            if (s.out().dtype != D::kInt8 || s.out().quantization.present()) return std::nullopt;
            return Finding{"y", ir::type_of(s.out()), "int8 with a scale"};
          },
          "give the tensors scales"};
}

Rule by_tanh() {
  return {"gelu in its form with tanh",
          [](const Subject& s) -> std::optional<Finding> {
            if (s.op.kind != K::kGelu || s.op.as<ir::Gelu>().approximate) return std::nullopt;
            return Finding{"gelu", "that of the error function", "the form with tanh"};
          },
          "export gelu with approximate = true"};
}

Rule no_int64() {
  return {
      "x and y of at most 32 bits",
      [](const Subject& s) -> std::optional<Finding> {
        for (const auto& [tensor, name] : {std::pair{&s.in(0), "x"}, std::pair{&s.out(), "y"}}) {
          if (tensor->dtype != D::kInt64) continue;
          return Finding{name, ir::type_of(*tensor), "a type of at most 32 bits"};
        }
        return std::nullopt;
      },
      "cast to int32 when the network is exported"};
}

}  // namespace

std::vector<Entry> dsp_element_entries() {
  const std::vector<Rule> product = {results({D::kInt8, D::kFloat32}), with_scales(),
                                     at_most_6_axes()};
  const std::vector<Rule> floats = {results({D::kFloat32}), at_most_6_axes()};
  const std::vector<Rule> stored = {results({D::kInt8, D::kFloat32}), at_most_6_axes()};
  std::vector<Entry> entries = {
      {K::kAdd, "int8, float32", product, {"add_i8", "pair_f32"}},
      {K::kSub, "int8, float32", product, {"add_i8", "pair_f32"}},
      {K::kMul, "int8, float32", product, {"mul_i8", "pair_f32"}},
      {K::kDiv, "float32", floats, {"pair_f32"}},
      {K::kPow, "float32", floats, {"pair_f32"}},
      {K::kSquaredDifference, "int8, float32", product, {"squared_difference_i8", "pair_f32"}},
      {K::kMaximum, "int8, float32", stored, {"larger_i8", "pair_f32"}},
      {K::kMinimum, "int8, float32", stored, {"larger_i8", "pair_f32"}},
      {K::kPrelu, "int8, float32", stored, {"prelu_i8", "pair_f32"}},
      {K::kLut, "int8, uint8", {at_most_6_axes()}, {"table_i8"}},
      {K::kQuantize,
       "float32, int8, uint8, int16 or int32 to int8, uint8, int16 or int32",
       {at_most_6_axes()},
       {"quantise", "requantise", "table_i8"}},
      {K::kDequantize, "int8, uint8 or int16 to float32", {at_most_6_axes()}, {"dequantise"}},
      {K::kCast, "all but int64", {no_int64(), at_most_6_axes()}, {"cast"}},
      {K::kGelu,
       "float32",
       {results({D::kFloat32}), by_tanh(), at_most_6_axes()},
       {"function_f32"}},
  };
  for (const K kind : {K::kRelu, K::kRelu6, K::kReluN1To1, K::kRelu0To1, K::kLeakyRelu,
                       K::kHardSwish, K::kLogistic, K::kTanh, K::kElu, K::kExp, K::kLog, K::kSqrt,
                       K::kRsqrt, K::kAbs, K::kNeg, K::kSquare, K::kFloor, K::kCeil, K::kRound}) {
    entries.push_back({kind, "float32", floats, {"function_f32"}});
  }
  return entries;
}

}  // namespace presil::rules
