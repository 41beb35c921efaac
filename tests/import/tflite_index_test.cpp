// Operators of the file that pick, repeat, mirror or cast values, or whose result it says itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/import/tflite.h"
#include "models/base/refusal.h"
#include "tests/import/tflite_file.h"

namespace presil::import {
namespace {

using ir::OpKind;
using testing::ElementsAre;
using testing::HasSubstr;
using Shape = std::vector<int32_t>;

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

/// x and integers -> one operator -> y.
struct OneOp {
  TfliteFile f;
  std::vector<int32_t> inputs;
  int y;

  OneOp(file::Builtin code, Shape x, Shape out, const std::vector<Shape>& integers,
        file::TensorType type = file::TensorType_Int8) {
    inputs = {f.add_tensor("x", std::move(x), type)};
    f.graph().inputs = inputs;
    y = f.add_tensor("y", std::move(out), type);
    for (const Shape& values : integers) inputs.push_back(f.add_integers("n", values));
    f.add_op(code, inputs, {y});
    f.graph().outputs = {y};
  }
  template <class Options>
  OneOp& with(Options options) {
    f.op().options.Set(std::move(options));
    return *this;
  }
};

TEST(TfliteIndex, a_slice_begins_somewhere_and_minus_one_is_all_that_is_left) {
  const auto graph = import(OneOp(file::Builtin_SLICE, {4, 6}, {2, 5}, {{1, 1}, {2, -1}}).f);
  EXPECT_THAT(graph.ops.at(0).as<ir::StridedSlice>().begin, ElementsAre(1, 1));
  EXPECT_THAT(graph.ops[0].as<ir::StridedSlice>().size, ElementsAre(2, 5));
  EXPECT_THAT(
      refusal(OneOp(file::Builtin_SLICE, {4, 6}, {2, 5}, {{1}, {2, -1}}).f),
      HasSubstr("begin and size hold 1 and 2 numbers, expected one for each axis of x [4,6]"));
  EXPECT_THAT(refusal(OneOp(file::Builtin_SLICE, {4, 6}, {2, 5}, {{9, 0}, {-1, -1}}).f),
              HasSubstr("axis 0 takes -1 from 9 by 1, must remain within 0..3"));
}

TEST(TfliteIndex, a_reverse_is_a_slice_that_steps_backwards) {
  const auto graph = import(OneOp(file::Builtin_REVERSE_V2, {4, 1, 6}, {4, 1, 6}, {{-1, 1}}).f);
  EXPECT_THAT(graph.ops.at(0).as<ir::StridedSlice>().begin, ElementsAre(0, 0, 5));
  EXPECT_THAT(graph.ops[0].as<ir::StridedSlice>().step, ElementsAre(1, 1, -1));
}

TEST(TfliteIndex, what_moves_bytes_to_another_scale_is_followed_by_a_table_of_its_own_indices) {
  OneOp reverse(file::Builtin_REVERSE_V2, {4, 6}, {4, 6}, {{1}});
  reverse.f.tensor(reverse.y).quantization->scale = {0.25f};
  const auto graph = import(reverse.f);
  ASSERT_EQ(graph.ops.size(), 2u);
  EXPECT_EQ(graph.ops[0].kind, OpKind::kStridedSlice);
  EXPECT_EQ(graph.tensor(graph.ops[0].output()).quantization.scale(), 0.5f);
  ASSERT_EQ(graph.ops[1].kind, OpKind::kLut);
  EXPECT_EQ(graph.tensor(graph.ops[1].output()).quantization.scale(), 0.25f);
  const auto* table = graph.tensor(graph.ops[1].input(1)).values<uint8_t>();
  for (int i = 0; i < 256; ++i) EXPECT_EQ(table[i], i);
}

TEST(TfliteIndex, a_broadcast_repeats_axes_of_one) {
  const auto graph = import(OneOp(file::Builtin_BROADCAST_TO, {3, 1}, {2, 3, 4}, {{2, 3, 4}}).f);
  ASSERT_EQ(graph.ops.size(), 2u);
  EXPECT_EQ(graph.ops[0].kind, OpKind::kReshape);
  EXPECT_THAT(graph.ops[1].as<ir::Tile>().multiples, ElementsAre(2, 1, 4));
  EXPECT_THAT(
      refusal(OneOp(file::Builtin_BROADCAST_TO, {3, 2}, {2, 3, 4}, {{2, 3, 4}}).f),
      HasSubstr("x is [3,2], shape is [2,3,4], y is [2,3,4], y must have that shape and x"));
  const auto tile = import(OneOp(file::Builtin_TILE, {3, 1}, {6, 4}, {{2, 4}}).f);
  EXPECT_THAT(tile.ops.at(0).as<ir::Tile>().multiples, ElementsAre(2, 4));
}

TEST(TfliteIndex, a_mirror_shows_the_edge_once_or_twice) {
  OneOp op(file::Builtin_MIRROR_PAD, {2, 3}, {2, 6}, {{0, 0, 1, 2}});
  EXPECT_FALSE(import(op.with(file::MirrorPadT{}).f).ops.at(0).as<ir::MirrorPad>().symmetric);
  file::MirrorPadT options;
  options.mode = file::MirrorMode_Symmetric;
  const auto graph = import(op.with(options).f);
  EXPECT_TRUE(graph.ops.at(0).as<ir::MirrorPad>().symmetric);
  EXPECT_THAT(graph.ops[0].as<ir::MirrorPad>().after, ElementsAre(0, 2));
  options.mode = static_cast<file::MirrorMode>(2);
  EXPECT_THAT(refusal(op.with(options).f),
              HasSubstr("its mode is number 2, must be reflect or symmetric"));
  EXPECT_THAT(
      refusal(
          OneOp(file::Builtin_MIRROR_PAD, {2, 3}, {2, 6}, {{0, 0, 1}}).with(file::MirrorPadT{}).f),
      HasSubstr("paddings hold 3 numbers, expected two an axis of x [2,3]"));
}

TEST(TfliteIndex, axes_of_a_gather_count_from_the_end_when_negative) {
  file::GatherT options;
  options.axis = -1, options.batch_dims = -1;
  OneOp op(file::Builtin_GATHER, {2, 6}, {2, 2}, {{5, 1}});
  const auto graph = import(op.with(options).f);
  EXPECT_EQ(graph.ops.at(0).as<ir::Gather>().axis, 1);
  EXPECT_EQ(graph.ops[0].as<ir::Gather>().batch_dims, 0);
  EXPECT_EQ(import(OneOp(file::Builtin_GATHER_ND, {2, 6}, {}, {{1, 5}}).f).ops.at(0).kind,
            OpKind::kGatherNd);
}

TEST(TfliteIndex, a_lookup_is_a_gather_of_rows) {
  TfliteFile f;
  const int rows = f.add_tensor("rows", {3}, file::TensorType_Int32);
  const int table = f.add_constant("table", {4, 2}, file::TensorType_Int8, std::vector<int8_t>(8));
  const int y = f.add_tensor("y", {3, 2});
  f.tensor(y).quantization->zero_point = {0};
  f.add_op(file::Builtin_EMBEDDING_LOOKUP, {rows, table}, {y});
  f.graph().inputs = {rows}, f.graph().outputs = {y};
  const auto graph = import(f);
  EXPECT_EQ(graph.tensor(graph.ops.at(0).input(0)).name, "table");
  EXPECT_EQ(graph.tensor(graph.ops[0].input(1)).name, "rows");
}

/// condition, a, b -> y.
TfliteFile select(file::Builtin code, Shape condition) {
  TfliteFile f;
  const int c = f.add_tensor("c", std::move(condition), file::TensorType_Bool);
  const int a = f.add_tensor("a", {2, 3}), b = f.add_tensor("b", {2, 3});
  const int y = f.add_tensor("y", {2, 3});
  f.add_op(code, {c, a, b}, {y});
  f.graph().inputs = {c, a, b}, f.graph().outputs = {y};
  return f;
}

TEST(TfliteIndex, the_older_select_takes_whole_rows) {
  const auto rows = import(select(file::Builtin_SELECT, {2}));
  ASSERT_EQ(rows.ops.size(), 2u);
  EXPECT_THAT(rows.tensor(rows.ops[1].input(0)).shape, ElementsAre(2, 1));
  EXPECT_EQ(import(select(file::Builtin_SELECT_V2, {3})).ops.size(), 1u);
  EXPECT_THAT(refusal(select(file::Builtin_SELECT_V2, {2})),
              HasSubstr("condition is [2], a is [2,3], b is [2,3], extents must be equal"));
}

TEST(TfliteIndex, one_hot_has_an_axis_more) {
  TfliteFile f;
  const int i = f.add_tensor("i", {3}, file::TensorType_Int32);
  const int depth = f.add_integers("depth", {4}), on = f.add_integers("on", {1});
  const int off = f.add_integers("off", {0}), y = f.add_tensor("y", {3, 4}, file::TensorType_Int32);
  file::OneHotT options;
  options.axis = -1;
  f.add_op(file::Builtin_ONE_HOT, {i, depth, on, off}, {y}).options.Set(options);
  f.graph().inputs = {i}, f.graph().outputs = {y};
  const auto graph = import(f);
  EXPECT_EQ(graph.ops.at(0).as<ir::OneHot>().axis, 1);
  EXPECT_EQ(graph.ops[0].inputs.size(), 3u);
  f.op().inputs[1] = f.add_integers("depth", {4, 4});
  EXPECT_THAT(refusal(f), HasSubstr("depth is [4,4], expected one number of 1 or more"));
}

TEST(TfliteIndex, a_cast_of_unsigned_bytes_reads_them_as_they_are_in_the_file) {
  TfliteFile f;
  const int x = f.add_tensor("x", {4}, file::TensorType_Uint8);
  const int between = f.add_tensor("between", {4}, file::TensorType_Float32);
  const int y = f.add_tensor("y", {4}, file::TensorType_Uint8);
  f.add_op(file::Builtin_CAST, {x}, {between});
  f.add_op(file::Builtin_CAST, {between}, {y});
  f.graph().inputs = {x}, f.graph().outputs = {y};
  const auto graph = import(f);
  std::vector<std::string> kinds;
  for (const ir::Op& op : graph.ops) kinds.push_back(ir::to_string(op.kind));
  EXPECT_EQ(graph.tensor(graph.inputs[0]).dtype, ir::DType::kUint8);
  for (const ir::Op& op : graph.ops) {
    if (op.kind != OpKind::kCast) continue;
    EXPECT_NE(graph.tensor(op.input(0)).dtype, ir::DType::kInt8);
    EXPECT_NE(graph.tensor(op.output()).dtype, ir::DType::kInt8);
  }
  EXPECT_THAT(kinds, testing::Contains("cast").Times(2));
}

/// An operator whose result y the file says, after x in a concatenation.
struct Known {
  TfliteFile f;
  int x, y;

  Known(file::Builtin code, std::vector<int32_t> inputs, TfliteFile made, Shape known)
      : f(std::move(made)) {
    x = 0;
    y = f.add_tensor("y", std::move(known), file::TensorType_Int32);
    f.add_op(code, std::move(inputs), {y});
    const int z = f.add_tensor("z", {9}, file::TensorType_Int32);
    file::ConcatenationT options;
    f.add_op(file::Builtin_CONCATENATION, {x, y}, {z}).options.Set(options);
    f.graph().inputs = {x}, f.graph().outputs = {z};
  }
  std::vector<int32_t> values() const {
    const auto graph = import(f);
    EXPECT_EQ(graph.ops.size(), 1u);
    const ir::Tensor& known = graph.tensor(graph.ops.at(0).input(1));
    return {known.values<int32_t>(), known.values<int32_t>() + known.elements()};
  }
};

TfliteFile with_x(int32_t extent) {
  TfliteFile f;
  f.add_tensor("x", {extent}, file::TensorType_Int32);
  return f;
}

TEST(TfliteConstants, what_follows_from_the_file_is_a_constant) {
  EXPECT_THAT(Known(file::Builtin_SHAPE, {0}, with_x(8), {1}).values(), ElementsAre(8));
  EXPECT_THAT(Known(file::Builtin_ZEROS_LIKE, {0}, with_x(8), {8}).f.graph().operators.size(), 2u);
  TfliteFile f = with_x(6);
  const int dims = f.add_integers("dims", {3});
  const int value = f.add_constant("v", {}, file::TensorType_Int32, std::vector<int32_t>{-4});
  EXPECT_THAT(Known(file::Builtin_FILL, {dims, value}, std::move(f), {3}).values(),
              ElementsAre(-4, -4, -4));
}

TEST(TfliteConstants, a_range_stops_before_its_limit) {
  const auto range = [](int32_t start, int32_t limit, int32_t delta, int32_t count) {
    TfliteFile f = with_x(9 - count);
    std::vector<int32_t> inputs;
    for (const int32_t n : {start, limit, delta}) inputs.push_back(f.add_integers("n", {n}));
    return Known(file::Builtin_RANGE, inputs, std::move(f), {count});
  };
  EXPECT_THAT(range(2, 9, 3, 3).values(), ElementsAre(2, 5, 8));
  EXPECT_THAT(range(5, 1, -2, 2).values(), ElementsAre(5, 3));
  EXPECT_THAT(refusal(range(5, 5, 1, 1).f),
              HasSubstr("start, limit and delta are 5, 5 and 1, must be 1.."));
}

TEST(TfliteConstants, a_shape_that_is_computed_from_extents_is_known) {
  // As exporters flatten [n, 4, 6]: [shape(x)[0], shape(x)[1] * 6].
  TfliteFile f;
  const int x = f.add_tensor("x", {2, 4, 6});
  const auto number = [&](const std::string& name, Shape shape) {
    return f.add_tensor(name, std::move(shape), file::TensorType_Int32);
  };
  const int extents = number("extents", {3}), first = number("first", {}), second = number("s", {});
  const int product = number("product", {}), shape = number("shape", {2});
  const int y = f.add_tensor("y", {2, 24});
  f.add_op(file::Builtin_SHAPE, {x}, {extents});
  const auto one_of = [&](int axis, int result) {
    file::StridedSliceT options;
    options.shrink_axis_mask = 1;
    f.add_op(file::Builtin_STRIDED_SLICE,
             {extents, f.add_integers("b", {axis}), f.add_integers("e", {axis + 1}),
              f.add_integers("t", {1})},
             {result})
        .options.Set(options);
  };
  one_of(0, first), one_of(1, second);
  f.add_op(file::Builtin_MUL, {second, f.add_integers("six", {6})}, {product})
      .options.Set(file::MulT{});
  file::StackT stack;
  stack.values_count = 2;
  f.add_op(file::Builtin_PACK, {first, product}, {shape}).options.Set(stack);
  f.add_op(file::Builtin_RESHAPE, {x, shape}, {y});
  f.graph().inputs = {x}, f.graph().outputs = {y};
  const auto graph = import(f);
  ASSERT_EQ(graph.ops.size(), 1u);
  EXPECT_EQ(graph.ops[0].kind, OpKind::kReshape);
  f.tensor(x).type = file::TensorType_Int32;
  f.tensor(x).quantization.reset();
  f.tensor(y).type = file::TensorType_Int32;
  f.tensor(y).quantization.reset();
  f.op(5).inputs[1] = x;
  EXPECT_THAT(refusal(f), HasSubstr("shape is computed by the network, expected a constant"));
}

TEST(TfliteConstants, numbers_are_calculated_where_they_exist) {
  const auto of = [](file::Builtin code, std::vector<int32_t> a, std::vector<int32_t> b,
                     int32_t count) {
    TfliteFile f = with_x(9 - count);
    const std::vector<int32_t> inputs = {f.add_integers("a", a), f.add_integers("b", b)};
    return Known(code, inputs, std::move(f), {count});
  };
  EXPECT_THAT(of(file::Builtin_ADD, {1, 2}, {10}, 2).values(), ElementsAre(11, 12));
  EXPECT_THAT(of(file::Builtin_SUB, {1}, {10, 4}, 2).values(), ElementsAre(-9, -3));
  EXPECT_THAT(of(file::Builtin_FLOOR_DIV, {7}, {2}, 1).values(), ElementsAre(3));
  EXPECT_THAT(of(file::Builtin_FLOOR_MOD, {7}, {4}, 1).values(), ElementsAre(3));
  EXPECT_THAT(of(file::Builtin_MAXIMUM, {7, 1}, {4, 4}, 2).values(), ElementsAre(7, 4));
  EXPECT_THAT(of(file::Builtin_MINIMUM, {7, 1}, {4, 4}, 2).values(), ElementsAre(4, 1));
  EXPECT_THAT(of(file::Builtin_REDUCE_PROD, {7, 2, 3}, {0}, 1).values(), ElementsAre(42));
  EXPECT_NE(refusal(of(file::Builtin_DIV, {7}, {0}, 1).f), "taken");  // and is left as it is
}

TEST(TfliteConstants, what_they_require_is_said) {
  Known shape(file::Builtin_SHAPE, {0}, with_x(8), {1});
  shape.f.tensor(shape.y).type = file::TensorType_Float32;
  EXPECT_THAT(refusal(shape.f), HasSubstr("its result is float32[1], which counts; must be int32"));
  TfliteFile f = with_x(6);
  const int dims = f.add_integers("dims", {3});
  const int value = f.add_tensor("v", {}, file::TensorType_Int32);
  Known fill(file::Builtin_FILL, {dims, value}, std::move(f), {3});
  EXPECT_THAT(
      refusal(fill.f),
      HasSubstr("its value is int32[], computed, expected one constant of its result's type"));
  f = with_x(6);
  const int none = f.add_integers("dims", {0});
  const int one = f.add_constant("v", {}, file::TensorType_Int32, std::vector<int32_t>{1});
  EXPECT_THAT(refusal(Known(file::Builtin_FILL, {none, one}, std::move(f), {3}).f),
              HasSubstr("dims are [0], must be 1 or more each, 2^24 together"));
}

TEST(TfliteConstants, a_long_one_is_refused) {
  Known zeros(file::Builtin_ZEROS_LIKE, {0}, with_x(1 << 25), {1 << 25});
  EXPECT_THAT(refusal(zeros.f), HasSubstr("x is [33554432], must be at most 16777216 zeros"));
}

TEST(TfliteIndex, what_has_no_fixed_size_or_keeps_a_value_is_refused_for_that) {
  EXPECT_THAT(
      refusal(OneOp(file::Builtin_WHERE, {4}, {4, 1}, {}).f),
      HasSubstr("WHERE \"y\": the size of its result depends on values, must have fixed shapes"));
  EXPECT_THAT(refusal(OneOp(file::Builtin_READ_VARIABLE, {4}, {4}, {}).f),
              HasSubstr("READ_VARIABLE \"y\": its handle must come from a VAR_HANDLE"));
}

TEST(TfliteSlices, an_ellipsis_stands_for_whole_axes_and_new_axes_are_only_in_the_result) {
  OneOp op(file::Builtin_STRIDED_SLICE, {2, 3, 4, 5}, {1, 2, 3, 4, 2},
           {{0, 0, 1}, {0, 0, 2}, {1, 1, 1}});
  file::StridedSliceT options;
  options.new_axis_mask = 1, options.ellipsis_mask = 2, options.offset = true;
  const auto graph = import(op.with(options).f);
  EXPECT_THAT(graph.ops.at(0).as<ir::StridedSlice>().begin, ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(graph.ops[0].as<ir::StridedSlice>().size, ElementsAre(2, 3, 4, 2));
}

}  // namespace
}  // namespace presil::import
