// Files that are whole but cannot be meant: each refused by its whole text, which names the tensor
// or the operator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "compiler_bridge/import/tflite.h"
#include "models/base/refusal.h"
#include "tests/import/tflite_file.h"

namespace presil::import {
namespace {

using testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::string refusal(const TfliteFile& f) {
  try {
    import_tflite(f.bytes(), "net");
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

/// x [1,8,8,3] with w [4,3,3,3] is y [1,4,4,4].
TfliteFile sound() {
  return conv_file(8, 8, 3, 3, 3, 4, file::Padding_Same, 2, {1, 4, 4, 4});
}

std::string with_scale(int tensor, std::vector<float> scales) {
  auto f = sound();
  f.tensor(tensor).quantization->scale = std::move(scales);
  return refusal(f);
}

TEST(TfliteAbsurd, scales_that_no_value_can_have) {
  const std::string subject =
      "import: net: the network does not hold together: ir: tensor %0 \"x\" ";
  for (const auto& [scale, said] : {std::pair{0.0f, "0"},
                                    {-0.0f, "-0"},
                                    {-0.5f, "-0.5"},
                                    {kNan, "nan"},
                                    {-kNan, "-nan"},
                                    {kInfinity, "inf"},
                                    {-kInfinity, "-inf"},
                                    {0x1p-127f, "5.877472e-39"},
                                    {0x1p-149f, "1e-45"}}) {
    const std::string rest = std::string("has scale ") + said + ", must be a normal number above 0";
    EXPECT_EQ(with_scale(0, {scale}), subject + rest);
    EXPECT_THAT(with_scale(1, {0.5f, scale, 0.5f, 0.5f}), HasSubstr("\"w\" " + rest));
  }
  EXPECT_EQ(with_scale(0, {0x1p-126f}), "taken");
}

TEST(TfliteAbsurd, as_many_scales_as_channels) {
  EXPECT_EQ(with_scale(1, {0.5f, 0.5f, 0.5f}),
            "import: net: the network does not hold together: ir: tensor %1 \"w\" has 3 scales "
            "along axis 0 of [4,3,3,3], expected one scale per index of that axis");
  auto f = sound();
  f.tensor(1).quantization->scale.assign(4, 0.5f);
  f.tensor(1).quantization->zero_point = {0, 0};
  EXPECT_THAT(refusal(f), HasSubstr("tensor %1 \"w\" has 4 scales and 2 zero points, expected as"));
  f = sound();
  f.tensor(1).quantization->scale.assign(4, 0.5f);
  f.tensor(1).quantization->quantized_dimension = -1;
  EXPECT_EQ(refusal(f), "import: net: tensor 1 \"w\" is quantised along axis -1 of [4,3,3,3]");
}

TEST(TfliteAbsurd, zero_points_outside_their_type) {
  for (const int64_t zero : {int64_t{128}, int64_t{-129}, std::numeric_limits<int64_t>::max()}) {
    auto f = sound();
    f.tensor(0).quantization->zero_point = {zero};
    EXPECT_THAT(refusal(f), HasSubstr("tensor %0 \"x\" has zero point " + std::to_string(zero) +
                                      ", must be a value of int8"));
  }
}

TEST(TfliteAbsurd, shapes_of_nothing_of_less_and_of_more_than_fits) {
  for (const auto& [shape, extent] :
       {std::pair{std::vector<int32_t>{1, 0, 8, 3}, "0"},
        {{1, -8, 8, 3}, "-8"},
        {{1, std::numeric_limits<int32_t>::min(), 8, 3}, "-2147483648"},
        {{1, std::numeric_limits<int32_t>::max(), 8, 3}, "8"},
        {{1 << 16, 1 << 16, 1 << 16, 1 << 16}, "65536"}}) {
    for (const int tensor : {0, 1, 2, 3}) {
      auto f = sound();
      f.tensor(tensor).shape = shape;
      EXPECT_THAT(refusal(f), HasSubstr("tensor " + std::to_string(tensor) + " \"" +
                                        f.tensor(tensor).name + "\" has an extent of " + extent +
                                        ", must have fixed shapes of at least 1 and at most 2^31"));
    }
  }
}

TEST(TfliteAbsurd, shapes_that_overflow_only_together) {
  auto f = sound();
  f.tensor(0).shape = {1, 26754, 26754, 3};  // 2^31 less 3,000: fits by itself
  EXPECT_THAT(refusal(f),
              HasSubstr("op 0, conv2d \"y\": y is [1,4,4,4], must be [1,13377,13377,4]"));
}

TEST(TfliteAbsurd, shapes_that_follow_from_what_is_not_known_yet) {
  auto f = sound();
  f.tensor(0).shape_signature = {-1, -1, -1, 3};
  EXPECT_EQ(
      refusal(f),
      "import: net: input \"x\" leaves axis 1 open, must have fixed shapes; export the network "
      "with a fixed input shape");
  f = sound();
  f.tensor(3).shape = {};
  f.tensor(3).shape_signature = {-1, -1, -1, 4};
  EXPECT_THAT(refusal(f), HasSubstr("op 0, conv2d \"y\": y is [], must be [1,4,4,4]"));
}

TEST(TfliteAbsurd, a_constant_without_its_bytes) {
  auto f = sound();
  f.model.buffers[1]->data.clear();
  EXPECT_EQ(refusal(f),
            "import: net: the network does not hold together: ir: op 0, conv2d \"y\" reads tensor "
            "%1 \"w\", which no earlier op makes: it is no constant, for it has no bytes, no input "
            "of the graph, and no op's result");
  for (const size_t bytes : {size_t{1}, size_t{107}, size_t{109}}) {
    f.model.buffers[1]->data.assign(bytes, 1);
    EXPECT_THAT(refusal(f), HasSubstr("tensor 1 \"w\" holds " + std::to_string(bytes) +
                                      " bytes, its type int8[4,3,3,3] q(0.5, 0) requires 108"));
  }
}

/// x -> a -> b -> y by three additions; `reads` are the second operands.
TfliteFile chain(const std::array<int, 3>& reads) {
  TfliteFile f;
  for (const char* name : {"x", "a", "b", "y"}) f.add_tensor(name, {4});
  for (int i = 0; i < 3; ++i) {
    f.add_op(file::Builtin_ADD, {i, reads[static_cast<size_t>(i)]}, {i + 1})
        .options.Set(file::AddT());
  }
  f.graph().inputs = {0};
  f.graph().outputs = {3};
  return f;
}

TEST(TfliteAbsurd, operators_in_a_circle) {
  EXPECT_EQ(refusal(chain({0, 0, 0})), "taken");
  const std::string where = "import: net: the network does not hold together: ir: ";
  const std::string cycle = " does; ops must come after what they read, without a cycle";
  EXPECT_EQ(refusal(chain({2, 0, 0})),
            where +
                "op 0, add \"a\" reads tensor %2 \"b\", which no earlier op makes: op 1, add "
                "\"b\"" +
                cycle);
  EXPECT_EQ(refusal(chain({0, 2, 0})),
            where +
                "op 1, add \"b\" reads tensor %2 \"b\", which no earlier op makes: op 1, add "
                "\"b\"" +
                cycle);
}

TEST(TfliteAbsurd, a_tensor_that_two_operators_make) {
  auto f = chain({0, 0, 0});
  f.op(1).outputs = {1};
  f.op(2).inputs = {1, 1};
  EXPECT_THAT(refusal(f), HasSubstr("op 1, add \"a\": its outputs make tensor %1 \"a\", which is "
                                    "there already"));
  f = chain({0, 0, 0});
  f.op(0).outputs = {0};
  EXPECT_THAT(refusal(f), HasSubstr("\"x\", which is there already"));
}

TEST(TfliteAbsurd, numbers_that_name_nothing) {
  for (const int32_t index :
       {4, -2, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
    const std::string said = " name tensor " + std::to_string(index) + ", the file has 0..3";
    auto f = chain({0, 0, 0});
    f.op(2).inputs = {2, index};
    EXPECT_EQ(refusal(f), "import: net: op 2, ADD \"y\": its inputs" + said);
    f = chain({0, 0, 0});
    f.graph().inputs = {index};
    EXPECT_EQ(refusal(f), "import: net: the network's inputs" + said);
  }
  auto f = chain({0, 0, 0});
  f.op(1).opcode_index = std::numeric_limits<uint32_t>::max();
  EXPECT_EQ(refusal(f), "import: net: op 1 names operator code 4294967295, the file has 0..2");
  f = sound();
  f.tensor(1).buffer = std::numeric_limits<uint32_t>::max();
  EXPECT_EQ(refusal(f), "import: net: tensor 1 \"w\" names buffer 4294967295, the file has 0..2");
}

// The shape of a result follows from its operator: four numbers, of which the constant holds one.
TEST(TfliteAbsurd, a_constant_that_an_operator_gives_another_shape) {
  TfliteFile f;
  const int matrix = f.add_constant("m", {2, 2}, file::TensorType_Int32, std::vector<int32_t>(4));
  const int one = f.add_constant("one", {}, file::TensorType_Int32, std::vector<int32_t>{7});
  const int y = f.add_tensor("y", {4}, file::TensorType_Int32);
  f.add_op(file::Builtin_TRANSPOSE, {matrix, f.add_integers("perm", {1, 0})}, {one});
  f.add_op(file::Builtin_RESHAPE, {one, f.add_integers("shape", {4})}, {y});
  f.graph().inputs = {f.add_tensor("x", {4}, file::TensorType_Int32)};
  f.graph().outputs = {y};
  EXPECT_EQ(refusal(f),
            "import: net: op 0, TRANSPOSE \"one\": its result 1 \"one\" is a constant, "
            "must be a tensor that it computes");
}

TEST(TfliteAbsurd, versions_that_no_operator_has) {
  for (const int32_t version : {0, -1, 33, std::numeric_limits<int32_t>::max()}) {
    auto f = sound();
    f.model.operator_codes[0]->version = version;
    EXPECT_EQ(refusal(f), "import: net: op 0, CONV_2D, is of version " + std::to_string(version) +
                              ", must be 1..32; export the network with an older converter");
  }
}

TEST(TfliteAbsurd, windows_strides_and_dilations_beyond_any_image) {
  for (const int32_t value : {0, -1, 1 << 16, std::numeric_limits<int32_t>::max()}) {
    const std::string said = "op 0, CONV_2D \"y\": kernel, stride or dilation is " +
                             std::to_string(value) + ", must be 1..65535";
    auto f = sound();
    f.op().options.AsConv2D()->stride_w = value;
    EXPECT_THAT(refusal(f), HasSubstr(said));
    f = sound();
    f.op().options.AsConv2D()->dilation_h = value;
    EXPECT_THAT(refusal(f), HasSubstr(said));
  }
}

}  // namespace
}  // namespace presil::import
