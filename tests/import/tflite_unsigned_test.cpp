// Files of uint8 tensors: int8 inside, uint8 where the caller looks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/import/tflite.h"
#include "models/base/refusal.h"
#include "tests/import/tflite_file.h"

namespace presil::import {
namespace {

using ir::DType;
using ir::OpKind;
using testing::HasSubstr;

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

/// x [1,2,2,1] -> conv 1x1, two channels -> y, all uint8; w of values 0, 255 and zero point 100.
TfliteFile conv() {
  auto f = conv_file(2, 2, 1, 1, 1, 2, file::Padding_Valid, 1, {1, 2, 2, 2});
  for (int id : {0, 1, 3}) f.tensor(id).type = file::TensorType_Uint8;
  f.tensor(0).quantization->zero_point = {128};
  f.tensor(1).quantization->zero_point = {100};
  f.tensor(3).quantization->zero_point = {255};
  f.model.buffers[1]->data = {0, 255};
  return f;
}

TEST(TfliteUnsigned, values_and_zero_points_move_by_128_between_two_quantizes) {
  const ir::Graph graph = import(conv());
  ASSERT_EQ(graph.ops.size(), 3u);
  EXPECT_EQ(graph.ops[0].kind, OpKind::kQuantize);
  EXPECT_EQ(graph.ops[1].kind, OpKind::kConv2d);
  EXPECT_EQ(graph.ops[2].kind, OpKind::kQuantize);
  const ir::Tensor& x = graph.tensor(graph.inputs[0]);
  EXPECT_EQ(x.dtype, DType::kUint8);
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.quantization.zero_point(), 128);
  const ir::Tensor& y = graph.tensor(graph.outputs[0]);
  EXPECT_EQ(y.dtype, DType::kUint8);
  EXPECT_EQ(y.name, "y");
  EXPECT_EQ(y.quantization.zero_point(), 255);
  const ir::Op& op = graph.ops[1];
  EXPECT_EQ(graph.tensor(op.input(0)).dtype, DType::kInt8);
  EXPECT_EQ(graph.tensor(op.input(0)).name, "x/int8");
  EXPECT_EQ(graph.tensor(op.input(0)).quantization.zero_point(), 0);
  EXPECT_EQ(graph.tensor(op.output()).quantization.zero_point(), 127);
  const ir::Tensor& w = graph.tensor(op.input(1));
  EXPECT_EQ(w.quantization.zero_point(), -28);
  EXPECT_EQ(w.values<int8_t>()[0], -128);
  EXPECT_EQ(w.values<int8_t>()[1], 127);
}

TEST(TfliteUnsigned, averages_round_as_unsigned_sums_do) {
  TfliteFile f;
  for (const auto& name : {"x", "y"}) f.add_tensor(name, {1, 2, 2, 1}, file::TensorType_Uint8);
  file::Pool2DT pool;
  pool.filter_h = pool.filter_w = pool.stride_h = pool.stride_w = 1;
  f.add_op(file::Builtin_AVERAGE_POOL_2D, {0}, {1}).options.Set(pool);
  f.graph().inputs = {0}, f.graph().outputs = {1};
  EXPECT_TRUE(import(f).ops.at(1).as<ir::Pool2d>().ties_up);
  f.model.operator_codes[0]->code = file::Builtin_MAX_POOL_2D;
  f.model.operator_codes[0]->short_code = file::Builtin_MAX_POOL_2D;
  EXPECT_FALSE(import(f).ops.at(1).as<ir::Pool2d>().ties_up);
}

TEST(TfliteUnsigned, a_boundary_that_only_a_quantize_touches_is_uint8_itself) {
  TfliteFile f;
  f.add_tensor("x", {4}, file::TensorType_Uint8);
  f.add_tensor("y", {4});
  f.add_op(file::Builtin_QUANTIZE, {0}, {1});
  f.graph().inputs = {0}, f.graph().outputs = {1};
  const ir::Graph graph = import(f);
  ASSERT_EQ(graph.ops.size(), 1u);
  EXPECT_EQ(graph.tensor(graph.inputs[0]).dtype, DType::kUint8);
  EXPECT_EQ(graph.tensor(graph.inputs[0]).quantization.zero_point(), 3);
}

TEST(TfliteUnsigned, one_tensor_shown_twice_is_converted_once) {
  auto f = conv();
  f.graph().outputs = {3, 3};
  const ir::Graph graph = import(f);
  EXPECT_EQ(graph.ops.size(), 3u);
  EXPECT_EQ(graph.outputs[0], graph.outputs[1]);
}

TEST(TfliteUnsigned, what_is_not_defined_is_refused) {
  auto f = conv();
  f.tensor(0).quantization->zero_point = {256};
  EXPECT_THAT(refusal(f), HasSubstr("tensor 0 \"x\" is uint8 with zero point 256, must be 0..255"));
  f = conv_file(2, 2, 1, 1, 1, 2, file::Padding_Valid, 1, {1, 2, 2, 2});
  f.tensor(1).quantization->zero_point = {1};
  EXPECT_THAT(refusal(f), HasSubstr("int8 weights have a zero point that is not 0, must be 0"));

  TfliteFile two;
  for (const auto& name : {"a", "b"}) two.add_tensor(name, {1, 2}, file::TensorType_Uint8);
  two.add_tensor("y", {1, 4}, file::TensorType_Uint8);
  file::ConcatenationT concat;
  concat.axis = 1;
  two.add_op(file::Builtin_CONCATENATION, {0, 1}, {2}).options.Set(concat);
  two.graph().inputs = {0, 1}, two.graph().outputs = {2};
  EXPECT_FALSE(import(two).ops[2].as<ir::Concat>().in_float);
  two.tensor(1).quantization->scale = {0.25f};
  EXPECT_TRUE(import(two).ops[2].as<ir::Concat>().in_float);
  two.model.operator_codes[0]->code = file::Builtin_EXP;
  two.op().inputs = {0};
  EXPECT_THAT(refusal(two), HasSubstr("its input is uint8, must be int8"));
}

}  // namespace
}  // namespace presil::import
