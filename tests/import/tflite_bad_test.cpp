// Files that are refused: with one paragraph each, never with a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "compiler_bridge/import/tflite.h"
#include "models/base/refusal.h"
#include "tests/import/tflite_file.h"

namespace presil::import {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal(const std::vector<uint8_t>& bytes) {
  try {
    import_tflite(bytes, "net");
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}
std::string refusal(const TfliteFile& f) {
  return refusal(f.bytes());
}

TfliteFile sound() {
  return conv_file(8, 8, 3, 3, 3, 4, file::Padding_Same, 2, {1, 4, 4, 4});
}

TEST(TfliteBad, a_sound_file_is_taken) {
  EXPECT_EQ(refusal(sound()), "taken");
}

TEST(TfliteBad, an_empty_file_says_so) {
  EXPECT_THAT(refusal(std::vector<uint8_t>()), HasSubstr("import: net: the file is empty"));
}

TEST(TfliteBad, random_bytes_are_no_tflite_file) {
  std::mt19937 random(7);
  for (size_t size : {1u, 7u, 8u, 100u, 5000u}) {
    std::vector<uint8_t> bytes(size);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    EXPECT_THAT(refusal(bytes), HasSubstr("no TFLite file")) << size;
  }
}

TEST(TfliteBad, random_bytes_after_the_identifier_are_damaged) {
  std::mt19937 random(8);
  std::vector<uint8_t> bytes(4000);
  for (int i = 0; i < 200; ++i) {
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    std::copy_n("TFL3", 4, bytes.begin() + 4);
    EXPECT_THAT(refusal(bytes), StartsWith("import: net: "));
  }
}

TEST(TfliteBad, cut_at_any_length_it_is_refused) {
  const auto bytes = sound().bytes();
  for (size_t length = 0; length < bytes.size(); ++length) {
    const std::vector<uint8_t> cut(bytes.begin(),
                                   bytes.begin() + static_cast<std::ptrdiff_t>(length));
    ASSERT_NE(refusal(cut), "taken") << length;
  }
}

TEST(TfliteBad, two_thousand_mutated_bytes_never_crash_and_refusals_name_the_importer) {
  const auto bytes = sound().bytes();
  std::mt19937 random(9);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    auto mutated = bytes;
    mutated[random() % mutated.size()] = static_cast<uint8_t>(random());
    const std::string text = refusal(mutated);
    if (text == "taken") continue;
    ++refused;
    EXPECT_THAT(text, StartsWith("import: net: "));
  }
  EXPECT_GT(refused, 200);
}

TEST(TfliteBad, the_detectors_file_with_two_thousand_mutated_bytes_never_crashes) {
  std::ifstream in("sim/nets/digits/digits.tflite", std::ios::binary);
  const std::vector<uint8_t> bytes(std::istreambuf_iterator<char>(in), {});
  ASSERT_EQ(refusal(bytes), "taken");
  std::mt19937 random(10);
  for (int i = 0; i < 2000; ++i) {
    auto mutated = bytes;
    // Half of them in the last quarter, where tensors and operators stand, not weights.
    const size_t tail = bytes.size() / 4;
    const size_t at = i % 2 == 0 ? random() % bytes.size() : bytes.size() - 1 - random() % tail;
    mutated[at] = static_cast<uint8_t>(random());
    refusal(mutated);  // what matters is that it returns
  }
}

TEST(TfliteBad, an_operator_that_cannot_be_imported_is_named) {
  auto f = sound();
  f.model.operator_codes[0]->code = file::Builtin_LSH_PROJECTION;
  EXPECT_THAT(refusal(f), AllOf(HasSubstr("op 0, LSH_PROJECTION \"y\": this operator cannot be "
                                          "imported"),
                                HasSubstr("presil ops")));
  f.model.operator_codes[0]->code = static_cast<file::Builtin>(999);
  EXPECT_THAT(refusal(f), HasSubstr("op 0, number 999"));
  f.model.operator_codes[0]->code = file::Builtin_CUSTOM;
  f.model.operator_codes[0]->custom_code = "Magic";
  EXPECT_THAT(refusal(f), HasSubstr("CUSTOM:Magic"));
}

TEST(TfliteBad, types_that_an_operator_does_not_compute_with_are_refused_with_what_to_do) {
  auto f = sound();
  f.tensor(0).type = file::TensorType_Int64;
  EXPECT_THAT(refusal(f),
              AllOf(HasSubstr("op 0, CONV_2D \"y\": its input is int64[1,8,8,3]"),
                    HasSubstr("must be int8 or uint8 or int16 or float32; quantise the network")));
}

TEST(TfliteBad, types_that_nothing_takes_are_refused) {
  auto f = sound();
  f.tensor(0).type = file::TensorType_Float16;
  EXPECT_THAT(refusal(f), HasSubstr("has element type Float16"));
}

TEST(TfliteBad, open_shapes_are_refused_but_for_the_batch) {
  auto f = sound();
  f.tensor(0).shape_signature = {-1, 8, 8, 3};
  EXPECT_EQ(refusal(f), "taken");
  f.tensor(0).shape_signature = {1, -1, 8, 3};
  EXPECT_THAT(refusal(f), HasSubstr("input \"x\" leaves axis 1 open"));
  f = sound();
  f.tensor(0).shape = {1, -1, 8, 3};
  EXPECT_THAT(refusal(f), HasSubstr("has an extent of -1, must have fixed shapes"));
  f.tensor(0).shape = {1, 1 << 30, 1 << 30, 3};
  EXPECT_THAT(refusal(f), HasSubstr("has an extent of"));
}

TEST(TfliteBad, every_index_is_checked) {
  auto f = sound();
  f.op().inputs[0] = 99;
  EXPECT_THAT(refusal(f), HasSubstr("op 0, CONV_2D \"y\": its inputs name tensor 99"));
  f = sound();
  f.op().outputs = {-5};
  EXPECT_THAT(refusal(f), HasSubstr("its outputs name tensor -5"));
  f = sound();
  f.op().opcode_index = 3;
  EXPECT_THAT(refusal(f), HasSubstr("op 0 names operator code 3, the file has 0..0"));
  f = sound();
  f.tensor(1).buffer = 44;
  EXPECT_THAT(refusal(f), HasSubstr("names buffer 44"));
  f = sound();
  f.graph().outputs = {7};
  EXPECT_THAT(refusal(f), HasSubstr("the network's outputs name tensor 7"));
}

TEST(TfliteBad, a_constant_has_the_bytes_of_its_shape) {
  auto f = sound();
  f.model.buffers[1]->data.pop_back();
  EXPECT_THAT(refusal(f),
              HasSubstr("holds 107 bytes, its type int8[4,3,3,3] q(0.5, 0) requires 108"));
}

TEST(TfliteBad, wrong_shapes_between_operators_are_refused) {
  auto f = sound();
  f.tensor(3).shape = {1, 5, 4, 4};
  EXPECT_THAT(refusal(f), HasSubstr("y is [1,5,4,4], must be [1,4,4,4]"));
}

TEST(TfliteBad, quantisation_is_needed_and_sound) {
  auto f = sound();
  f.tensor(0).quantization->scale.clear();
  EXPECT_THAT(refusal(f), HasSubstr("x is int8[1,8,8,3], must have one scale and zero point"));
  f = sound();
  f.tensor(0).quantization->scale = {-1.0f};
  EXPECT_THAT(refusal(f), HasSubstr("has scale -1, must be a normal number above 0"));
  f = sound();
  f.tensor(1).quantization->scale = {1, 1, 1, 1};
  f.tensor(1).quantization->quantized_dimension = 9;
  EXPECT_THAT(refusal(f), HasSubstr("is quantised along axis 9"));
}

TEST(TfliteBad, odd_options_are_refused) {
  auto f = sound();
  f.op().options.Reset();
  EXPECT_THAT(refusal(f), HasSubstr("its options are missing"));
  f = sound();
  f.op().options.AsConv2D()->stride_h = 0;
  EXPECT_THAT(refusal(f), HasSubstr("kernel, stride or dilation is 0"));
  f = sound();
  f.op().options.AsConv2D()->activation = file::Fused_Tanh;
  EXPECT_THAT(refusal(f), HasSubstr("fused activation is number 4"));
}

TEST(TfliteBad, a_network_has_inputs_and_outputs) {
  auto f = sound();
  f.graph().inputs.clear();
  EXPECT_THAT(refusal(f),
              HasSubstr("it has 0 inputs and 1 outputs, must have at least one of each"));
}

TEST(TfliteBad, several_subgraphs_and_variables_are_refused) {
  auto f = sound();
  f.model.subgraphs.push_back(std::make_unique<file::SubGraphT>());
  EXPECT_THAT(refusal(f), HasSubstr("it holds 2 subgraphs, must have one"));
  f = sound();
  f.tensor(0).is_variable = true;
  EXPECT_THAT(refusal(f), HasSubstr("keeps its value between runs"));
}

TEST(TfliteBad, parameters_computed_by_the_network_are_refused) {
  TfliteFile f;
  const int x = f.add_tensor("x", {1, 4, 4, 2});
  const int size = f.add_tensor("size", {2}, file::TensorType_Int32);
  const int y = f.add_tensor("y", {1, 8, 8, 2});
  f.add_op(file::Builtin_RESIZE_NEAREST_NEIGHBOR, {x, size}, {y})
      .options.Set(file::ResizeNearestT());
  f.graph().inputs = {x, size}, f.graph().outputs = {y};
  EXPECT_THAT(refusal(f), HasSubstr("size is computed by the network, expected a constant"));
}

}  // namespace
}  // namespace presil::import
