// Files with floats: operators, constants that are stored smaller, what follows a fused
// activation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/import/tflite.h"
#include "models/base/refusal.h"
#include "tests/import/tflite_file.h"

namespace presil::import {
namespace {

using ir::OpKind;
using Floats = std::vector<float>;

constexpr auto kFloat = file::TensorType_Float32;

ir::Graph import(const TfliteFile& f) {
  return import_tflite(f.bytes(), "test");
}

std::string refusal(const TfliteFile& f) {
  try {
    import(f);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

Floats values(const ir::Tensor& tensor) {
  return Floats(tensor.values<float>(), tensor.values<float>() + tensor.elements());
}

/// x [1,2] -> FULLY_CONNECTED with weights [2,2] made by DEQUANTIZE of `stored`.
TfliteFile weights_by_dequantize(TfliteFile f, int stored) {
  const int x = f.add_tensor("x", {1, 2}, kFloat), w = f.add_tensor("w", {2, 2}, kFloat);
  const int y = f.add_tensor("y", {1, 2}, kFloat);
  f.add_op(file::Builtin_DEQUANTIZE, {stored}, {w});
  f.add_op(file::Builtin_FULLY_CONNECTED, {x, w, -1}, {y}).options.Set(file::FullyConnectedT{});
  f.graph().inputs = {x};
  f.graph().outputs = {y};
  return f;
}

TEST(TfliteFloat, weights_of_half_precision_are_there_as_float32) {
  TfliteFile f;
  // 1, -2, the largest below 1 (1 - 2^-11), the smallest above 0 (2^-24)
  const int stored = f.add_constant("h", {2, 2}, file::TensorType_Float16,
                                    std::vector<uint16_t>{0x3c00, 0xc000, 0x3bff, 0x0001});
  const ir::Graph graph = import(weights_by_dequantize(std::move(f), stored));
  ASSERT_EQ(graph.ops.size(), 1u);
  EXPECT_EQ(graph.ops[0].kind, OpKind::kFullyConnected);
  EXPECT_EQ(graph.ops[0].source_ops, std::vector<int>{1});
  EXPECT_EQ(values(graph.tensor(graph.ops[0].input(1))), (Floats{1, -2, 1 - 0x1p-11f, 0x1p-24f}));
}

TEST(TfliteFloat, weights_of_int8_have_the_scale_of_their_row) {
  TfliteFile f;
  const int stored =
      f.add_constant("h", {2, 2}, file::TensorType_Int8, std::vector<int8_t>{4, -8, 100, 1});
  f.tensor(stored).quantization->scale = {0.5f, 0.25f};
  f.tensor(stored).quantization->zero_point = {0, 0};
  const ir::Graph graph = import(weights_by_dequantize(std::move(f), stored));
  EXPECT_EQ(values(graph.tensor(graph.ops.at(0).input(1))), (Floats{2, -4, 25, 0.25f}));
}

TEST(TfliteFloat, what_is_computed_in_half_precision_is_refused) {
  TfliteFile f;
  const int x = f.add_tensor("x", {2}, file::TensorType_Float16);
  const int y = f.add_tensor("y", {2}, file::TensorType_Float16);
  f.add_op(file::Builtin_RELU, {x}, {y});
  f.graph().inputs = {x};
  f.graph().outputs = {y};
  EXPECT_THAT(refusal(f), testing::HasSubstr("has element type Float16"));
  const int stored = f.add_constant("h", {3}, file::TensorType_Float16, std::vector<uint16_t>{0});
  f.graph().outputs = {stored};
  f.tensor(x).type = f.tensor(y).type = kFloat;
  EXPECT_THAT(refusal(f), testing::HasSubstr("holds 2 bytes, its type float16[3] requires 6"));
}

TEST(TfliteFloat, a_concatenation_s_activation_becomes_an_operator) {
  TfliteFile f;
  const int x = f.add_tensor("x", {1, 2}, kFloat), y = f.add_tensor("y", {1, 4}, kFloat);
  file::ConcatenationT options;
  options.axis = 1;
  options.activation = file::Fused_Relu6;
  f.add_op(file::Builtin_CONCATENATION, {x, x}, {y}).options.Set(options);
  f.graph().inputs = {x};
  f.graph().outputs = {y};
  const ir::Graph graph = import(f);
  ASSERT_EQ(graph.ops.size(), 2u);
  EXPECT_EQ(graph.ops[0].as<ir::Concat>().act, ir::Activation::kNone);
  EXPECT_EQ(graph.ops[1].kind, OpKind::kRelu6);
  f.op().options.AsConcatenation()->activation = file::Fused_ReluN1To1;
  EXPECT_EQ(import(f).ops[1].kind, OpKind::kReluN1To1);
}

/// PADV2 of x [2] with a border of `value` around it.
template <class T>
TfliteFile padded(file::TensorType type, T value) {
  TfliteFile f;
  const int x = f.add_tensor("x", {2}, type), y = f.add_tensor("y", {4}, type);
  const int pads = f.add_constant("p", {1, 2}, file::TensorType_Int32, std::vector<int32_t>{1, 1});
  const int border = f.add_constant("v", {1}, type, std::vector<T>{value});
  f.add_op(file::Builtin_PADV2, {x, pads, border}, {y});
  f.graph().inputs = {x};
  f.graph().outputs = {y};
  return f;
}

TEST(TfliteFloat, a_border_is_kept_as_its_bits) {
  EXPECT_EQ(import(padded(kFloat, 1.5f)).ops[0].as<ir::Pad>().value, 0x3fc00000);
  EXPECT_THAT(refusal(padded(file::TensorType_Int64, int64_t{1} << 40)),
              testing::HasSubstr("its value is 1099511627776, must fit in 32 bits"));
}

TEST(TfliteFloat, a_scale_that_a_float_still_has_is_dropped) {
  TfliteFile f;
  const int x = f.add_tensor("x", {2}, kFloat), y = f.add_tensor("y", {2}, kFloat);
  f.tensor(x).quantization = std::make_unique<file::QuantizationT>();
  f.tensor(x).quantization->scale = {0.5f};
  f.add_op(file::Builtin_RELU, {x}, {y});
  f.graph().inputs = {x};
  f.graph().outputs = {y};
  EXPECT_FALSE(import(f).tensor(x).quantization.present());
}

}  // namespace
}  // namespace presil::import
