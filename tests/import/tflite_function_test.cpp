// Functions of values as files state them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/import/tflite.h"
#include "models/base/refusal.h"
#include "tests/import/tflite_file.h"

namespace presil::import {
namespace {

using ir::OpKind;
using testing::HasSubstr;

ir::Graph import(const TfliteFile& f) {
  return import_tflite(f.bytes(), "net");
}

std::string refusal(const TfliteFile& f) {
  try {
    import(f);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

/// x [2,3,4] and a parameter -> y
TfliteFile along(file::Builtin code, const std::vector<int32_t>& axes, std::vector<int32_t> shape,
                 file::TensorType type = file::TensorType_Int8) {
  TfliteFile f;
  const int x = f.add_tensor("x", {2, 3, 4}), y = f.add_tensor("y", std::move(shape), type);
  f.add_op(code, {x, f.add_integers("axes", axes)}, {y});
  f.graph().inputs = {x}, f.graph().outputs = {y};
  return f;
}

TEST(TfliteFunctions, reductions_name_their_axes) {
  const std::pair<file::Builtin, OpKind> codes[] = {
      {file::Builtin_SUM, OpKind::kSum},
      {file::Builtin_REDUCE_MAX, OpKind::kReduceMax},
      {file::Builtin_REDUCE_MIN, OpKind::kReduceMin},
  };
  for (const auto& [code, kind] : codes) {
    TfliteFile f = along(code, {-1, 0, 2}, {3});
    f.op().options.Set(file::ReducerT{});
    const ir::Graph graph = import(f);
    EXPECT_EQ(graph.ops[0].kind, kind);
    EXPECT_EQ(graph.ops[0].as<ir::Reduce>().axes, (std::vector<int64_t>{0, 2}));
  }
}

TEST(TfliteFunctions, the_type_of_the_result_says_how_wide_an_index_is) {
  const ir::Graph graph =
      import(along(file::Builtin_ARG_MAX, {-2}, {2, 4}, file::TensorType_Int64));
  EXPECT_EQ(graph.ops[0].kind, OpKind::kArgMax);
  EXPECT_EQ(graph.ops[0].as<ir::Arg>().axis, 1);
  EXPECT_THAT(refusal(along(file::Builtin_ARG_MIN, {1, 2}, {2}, file::TensorType_Int32)),
              HasSubstr("axis holds 2 numbers, expected 1"));
  EXPECT_THAT(refusal(along(file::Builtin_ARG_MIN, {3}, {2}, file::TensorType_Int32)),
              HasSubstr("axis is 3, must be -3..2"));
}

TEST(TfliteFunctions, functions_of_one_value) {
  const std::pair<file::Builtin, OpKind> codes[] = {
      {file::Builtin_RELU_N1_TO_1, OpKind::kReluN1To1},
      {file::Builtin_RELU_0_TO_1, OpKind::kRelu0To1},
      {file::Builtin_ELU, OpKind::kElu},
      {file::Builtin_ABS, OpKind::kAbs},
      {file::Builtin_EXP, OpKind::kExp},
      {file::Builtin_LOG, OpKind::kLog},
      {file::Builtin_SQRT, OpKind::kSqrt},
      {file::Builtin_RSQRT, OpKind::kRsqrt},
      {file::Builtin_GELU, OpKind::kGelu},
  };
  for (const auto& [code, kind] : codes) {
    TfliteFile f;
    const int x = f.add_tensor("x", {2, 3}), y = f.add_tensor("y", {2, 3});
    f.add_op(code, {x}, {y});
    file::GeluT gelu;
    gelu.approximate = true;
    if (code == file::Builtin_GELU) f.op().options.Set(gelu);
    f.graph().inputs = {x}, f.graph().outputs = {y};
    const ir::Graph graph = import(f);
    EXPECT_EQ(graph.ops[0].kind, kind);
    if (kind == OpKind::kGelu) {
      EXPECT_TRUE(graph.ops[0].as<ir::Gelu>().approximate);
    }
  }
}

TEST(TfliteFunctions, a_slope_may_be_a_tensor) {
  TfliteFile f;
  const int x = f.add_tensor("x", {2, 3}), y = f.add_tensor("y", {2, 3});
  const int alpha =
      f.add_constant("alpha", {3}, file::TensorType_Int8, std::vector<int8_t>{1, 2, 3});
  f.add_op(file::Builtin_PRELU, {x, alpha}, {y});
  f.graph().inputs = {x}, f.graph().outputs = {y};
  EXPECT_EQ(import(f).ops[0].kind, OpKind::kPrelu);
  f.tensor(alpha).shape = {1, 1, 3};
  EXPECT_THAT(refusal(f), HasSubstr("x is [2,3], alpha is [1,1,3], extents of alpha must be 1 or "
                                    "x's"));
}

TEST(TfliteFunctions, a_choice_requires_values_that_mean_the_same) {
  TfliteFile f;
  const int a = f.add_tensor("a", {2, 3}), b = f.add_tensor("b", {3}),
            y = f.add_tensor("y", {2, 3});
  f.add_op(file::Builtin_MAXIMUM, {a, b}, {y});
  f.graph().inputs = {a, b}, f.graph().outputs = {y};
  EXPECT_EQ(import(f).ops[0].kind, OpKind::kMaximum);
  f.tensor(b).quantization->scale = {0.25f};
  EXPECT_THAT(refusal(f),
              HasSubstr("b is int8[3] q(0.25, 3), y is int8[2,3] q(0.5, 3), must have the "
                        "same type and quantisation: stored values are compared"));
}

TEST(TfliteNumbers, the_largest_k_are_as_many_as_a_constant_says) {
  TfliteFile f;
  const int x = f.add_tensor("x", {2, 9});
  const int k = f.add_integers("k", {3});
  const int y = f.add_tensor("y", {2, 3}), i = f.add_tensor("i", {2, 3}, file::TensorType_Int32);
  f.add_op(file::Builtin_TOPK_V2, {x, k}, {y, i});
  f.graph().inputs = {x}, f.graph().outputs = {y, i};
  const ir::Graph graph = import(f);
  EXPECT_EQ(graph.ops[0].kind, OpKind::kTopK);
  EXPECT_EQ(graph.tensor(graph.outputs[1]).shape, (std::vector<int64_t>{2, 3}));
  f.op().inputs[1] = f.add_integers("ten", {10});
  EXPECT_THAT(refusal(f),
              HasSubstr("k is [10], x is [2,9], expected one number of 1 up to the length"));
}

TEST(TfliteNumbers, long_sums_are_sums_of_two) {
  TfliteFile f;
  std::vector<int32_t> terms;
  for (const char* name : {"a", "b", "c"}) {
    terms.push_back(f.add_tensor(name, {4}, file::TensorType_Float32));
  }
  const int y = f.add_tensor("y", {4}, file::TensorType_Float32);
  f.add_op(file::Builtin_ADD_N, terms, {y});
  f.graph().inputs = terms, f.graph().outputs = {y};
  const ir::Graph graph = import(f);
  ASSERT_EQ(graph.ops.size(), 2u);
  EXPECT_EQ(graph.ops[0].inputs, (std::vector<ir::TensorId>{0, 1}));
  EXPECT_EQ(graph.ops[1].inputs, (std::vector<ir::TensorId>{graph.ops[0].output(), 2}));
  EXPECT_EQ(graph.ops[1].output(), graph.outputs[0]);
  f.tensor(terms[2]).shape = {5};
  EXPECT_THAT(refusal(f),
              HasSubstr("its input 2 is float32[5], y is float32[4], must be the same"));
}

}  // namespace
}  // namespace presil::import
