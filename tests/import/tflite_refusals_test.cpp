// Refusals of the importer by their whole text: one file each, sound but for one thing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/import/tflite.h"
#include "models/base/refusal.h"
#include "tests/import/tflite_file.h"

namespace presil::import {
namespace {

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

/// x and constants -> one operator -> y, with what y must be.
struct OneOp {
  TfliteFile f;
  int x, y;

  OneOp(std::vector<int32_t> in, std::vector<int32_t> out)
      : x(f.add_tensor("x", std::move(in))), y(f.add_tensor("y", std::move(out))) {
    f.graph().inputs = {x};
    f.graph().outputs = {y};
  }
  int weights(std::vector<int32_t> shape) {
    size_t count = 1;
    for (int32_t n : shape) count *= static_cast<size_t>(n);
    return f.add_constant("w", std::move(shape), file::TensorType_Int8,
                          std::vector<int8_t>(count, 1));
  }
  template <class Options>
  std::string refused(file::Builtin code, std::vector<int32_t> more, Options options) {
    more.insert(more.begin(), x);
    f.add_op(code, std::move(more), {y}).options.Set(std::move(options));
    return refusal(f);
  }
  std::string refused(file::Builtin code, std::vector<int32_t> more) {
    more.insert(more.begin(), x);
    f.add_op(code, std::move(more), {y});
    return refusal(f);
  }
};

TEST(TfliteRefusals, a_file_that_is_no_network) {
  EXPECT_EQ(refusal(std::vector<uint8_t>()),
            "import: net: the file is empty, must be a TFLite network");
  auto bytes = sound().bytes();
  const std::string size = std::to_string(bytes.size());
  std::fill_n(bytes.begin(), 4, uint8_t{0xff});  // where the root table lies
  EXPECT_EQ(refusal(bytes),
            "import: net: the TFLite file is damaged: its tables point outside its " + size +
                " bytes; fetch or export it again");
  auto f = sound();
  f.model.version = 4;
  EXPECT_EQ(refusal(f), "import: net: its format version is 4, must be 3");
}

TEST(TfliteRefusals, a_file_that_lacks_a_part_is_damaged) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<file::SubGraph>> graphs = {file::CreateSubGraph(builder)};
  const auto list = builder.CreateVector(graphs);
  file::FinishModelBuffer(builder, file::CreateModel(builder, 3, 0, list));
  EXPECT_EQ(refusal({builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()}),
            "import: net: the TFLite file is damaged: it lacks tensors, operators, codes or "
            "buffers");
}

TEST(TfliteRefusals, a_network_that_does_not_hold_together) {
  auto f = sound();
  f.tensor(3).shape = {1, 5, 4, 4};
  EXPECT_THAT(
      refusal(f),
      StartsWith("import: net: the network does not hold together: ir: op 0, conv2d \"y\""));
}

TEST(TfliteRefusals, tensors_that_are_stored_otherwise) {
  auto f = sound();
  f.tensor(1).sparsity = std::make_unique<file::SparsityT>();
  EXPECT_EQ(refusal(f), "import: net: tensor 1 \"w\" is stored sparse, must be dense");
  f = sound();
  f.tensor(0).shape = {1, -1, 8, 3};
  EXPECT_EQ(
      refusal(f),
      "import: net: tensor 0 \"x\" has an extent of -1, must have fixed shapes of at least 1 and "
      "at most 2^31 elements together; export the network with a fixed input shape");
  f.tensor(0).shape = {1, 1 << 16, 1 << 16, 3};
  EXPECT_THAT(refusal(f), HasSubstr("has an extent of 65536, must have fixed shapes"));
  f = sound();
  f.tensor(0).quantization->details.Set(file::DetailsT());
  EXPECT_EQ(
      refusal(f),
      "import: net: tensor 0 \"x\" is quantised in a custom way, must have scale and zero point");
  f = sound();
  f.model.buffers[1]->offset = 1 << 20;
  f.model.buffers[1]->size = 8;
  EXPECT_THAT(refusal(f), HasSubstr("import: net: tensor 1 \"w\" has its 8 bytes at offset "
                                    "1048576, the file has "));
}

TEST(TfliteRefusals, bytes_after_the_flatbuffer_are_those_inside) {
  auto f = sound();
  const ir::Graph inside = import_tflite(f.bytes(), "net");
  const std::vector<uint8_t> data = f.model.buffers[1]->data;
  f.model.buffers[1]->data.clear();
  f.model.buffers[1]->offset = 2;
  f.model.buffers[1]->size = data.size();
  f.model.buffers[1]->offset = f.bytes().size();  // of fixed width: the size stays
  auto file = f.bytes();
  ASSERT_EQ(file.size(), f.model.buffers[1]->offset);
  file.insert(file.end(), data.begin(), data.end());
  const ir::Graph after = import_tflite(file, "net");
  EXPECT_EQ(*after.tensor(1).data, *inside.tensor(1).data);
  file.pop_back();
  EXPECT_THROW(import_tflite(file, "net"), Refusal);
}

TEST(TfliteRefusals, bytes_of_a_name_that_are_no_text_become_question_marks) {
  auto f = sound();
  f.tensor(0).name = "a\nb";
  f.tensor(3).name = "gr\xc3\xbcn\xff\xc3";
  const ir::Graph graph = import_tflite(f.bytes(), "net");
  EXPECT_EQ(graph.tensors[0].name, "a?b");
  EXPECT_EQ(graph.ops[0].name, "gr\xc3\xbcn??");
}

TEST(TfliteRefusals, an_operator_has_one_result) {
  auto f = sound();
  f.op().outputs = {3, 0};
  EXPECT_EQ(refusal(f), "import: net: op 0, CONV_2D \"y\": it has 2 outputs, expected 1");
}

TEST(TfliteRefusals, convolutions) {
  auto f = sound();
  f.op().options.AsConv2D()->padding = static_cast<file::Padding>(2);
  EXPECT_THAT(refusal(f),
              HasSubstr("CONV_2D \"y\": its padding is number 2, must be SAME or VALID"));
  f = conv_file(8, 8, 3, 3, 3, 4, file::Padding_Same, 2, {1, 4, 4, 4});
  f.tensor(0).shape = {1, 8, 8, 4};
  EXPECT_THAT(refusal(f), HasSubstr("x has 4 channels, weights [4,3,3,3] must be a multiple of 3"));
  OneOp depthwise({1, 4, 4, 2}, {1, 4, 4, 4});
  file::DepthwiseConv2DT options;
  options.stride_h = options.stride_w = 1;
  options.depth_multiplier = 3;
  EXPECT_THAT(depthwise.refused(file::Builtin_DEPTHWISE_CONV_2D, {depthwise.weights({1, 1, 1, 4})},
                                options),
              HasSubstr("weights are [1,1,1,4], depth multiplier is 3, do not fit 2 input "
                        "channels"));
}

TEST(TfliteRefusals, paddings) {
  OneOp odd({1, 4}, {1, 6});
  EXPECT_THAT(odd.refused(file::Builtin_PAD, {odd.f.add_integers("p", {0, 0, 1})}),
              HasSubstr("paddings hold 3 numbers, expected two per axis of x [1,4]"));
  OneOp real({1, 4}, {1, 6});
  real.f.add_constant("p", {2, 2}, file::TensorType_Int32, std::vector<int32_t>{0, 0, 1, 1});
  const int value = real.f.add_tensor("v", {1});
  EXPECT_THAT(real.refused(file::Builtin_PADV2, {value - 1, value}),
              HasSubstr("its value is int8[1] q(0.5, 3), expected one constant of x's type int8"));
  OneOp wide({1, 4}, {1, 6});
  wide.f.tensor(wide.x).type = wide.f.tensor(wide.y).type = file::TensorType_Int64;
  wide.f.add_constant("p", {2, 2}, file::TensorType_Int32, std::vector<int32_t>{0, 0, 1, 1});
  const int large =
      wide.f.add_constant("v", {1}, file::TensorType_Int64, std::vector<int64_t>{int64_t{1} << 40});
  EXPECT_THAT(wide.refused(file::Builtin_PADV2, {large - 1, large}),
              HasSubstr("its value is 1099511627776, must fit in 32 bits"));
  OneOp floats({1, 4}, {1, 6});
  const int p =
      floats.f.add_constant("p", {2, 2}, file::TensorType_Float32, std::vector<float>{0, 0, 1, 1});
  EXPECT_THAT(floats.refused(file::Builtin_PAD, {p}),
              HasSubstr("paddings is float32[2,2], must be int32 or int64"));
}

std::string slice(const std::vector<int32_t>& begin, const std::vector<int32_t>& end,
                  const std::vector<int64_t>& strides, file::StridedSliceT options = {}) {
  OneOp op({4, 6}, {2, 3});
  const int b = op.f.add_integers("b", begin), e = op.f.add_integers("e", end);
  const int s = op.f.add_constant("s", {static_cast<int32_t>(strides.size())},
                                  file::TensorType_Int64, strides);
  return op.refused(file::Builtin_STRIDED_SLICE, {b, e, s}, options);
}

TEST(TfliteRefusals, slices) {
  EXPECT_EQ(slice({0, 0}, {4, 6}, {2, 2}), "taken");
  file::StridedSliceT ellipses;
  ellipses.ellipsis_mask = 3;
  EXPECT_THAT(slice({0, 0}, {4, 6}, {2, 2}, ellipses),
              HasSubstr("besides new axes and one ellipsis"));
  EXPECT_THAT(slice({0}, {4, 6}, {2, 2}),
              HasSubstr("begin, end and strides hold 1, 2 and 2 numbers, expected as many, at most "
                        "one per axis of [4,6]"));
  EXPECT_THAT(slice({0, 0, 0}, {4, 6, 1}, {2, 2, 1}), HasSubstr("hold 3, 3 and 3 numbers"));
  EXPECT_THAT(slice({0, 0}, {4, 6}, {2, 0}),
              HasSubstr("the stride of axis 1 is 0, must be 1..2147483647 or the same below 0"));
  EXPECT_THAT(slice({0, 0}, {4, 6}, {int64_t{1} << 31, 2}),
              HasSubstr("the stride of axis 0 is 2147483648, must be"));
  EXPECT_THAT(slice({0, 0}, {4, 6}, {INT64_MIN, 2}), HasSubstr("the stride of axis 0 is -922"));
}

std::string split(const std::vector<int32_t>& sizes, int axis = 1, int results = 2,
                  int stated = -1) {
  OneOp op({4, 6}, {4, 3});
  const int where = op.f.add_integers("axis", {axis});
  std::vector<int32_t> outputs = {op.y};
  while (static_cast<int>(outputs.size()) < results)
    outputs.push_back(op.f.add_tensor("z", {4, 3}));
  std::vector<int32_t> inputs = {where, op.x};
  if (!sizes.empty()) inputs = {op.x, op.f.add_integers("sizes", sizes), where};
  set_results(
      op.f.add_op(sizes.empty() ? file::Builtin_SPLIT : file::Builtin_SPLIT_V, inputs, outputs),
      stated < 0 ? outputs.size() : static_cast<size_t>(stated));
  op.f.graph().outputs = outputs;
  return refusal(op.f);
}

TEST(TfliteRefusals, splits) {
  EXPECT_EQ(split({}), "taken");
  EXPECT_EQ(split({3, -1}), "taken");
  EXPECT_THAT(split({}, 2), HasSubstr("SPLIT \"y\": axis is 2, must be -2..1"));
  EXPECT_THAT(split({}, 1, 4), HasSubstr("it splits 6 into 4 results, which must divide it"));
  EXPECT_THAT(split({}, 1, 2, 3), HasSubstr("it states 3 results and has 2, expected as many"));
  EXPECT_THAT(split({}, 0), HasSubstr("[2,6]"));  // what y should be
  for (const auto& sizes : {std::vector<int32_t>{3, 4}, {3, 3, 0}, {-1, -1}, {7, -1}, {-2, 8}}) {
    EXPECT_THAT(split(sizes), HasSubstr("SPLIT_V \"y\": size_splits are [" +
                                        std::to_string(sizes[0]) + "," + std::to_string(sizes[1])));
    EXPECT_THAT(split(sizes),
                HasSubstr("], must be 2 sizes that are 6 together, one of them perhaps "
                          "-1"));
  }
  OneOp none({4, 6}, {4, 6});
  none.f.add_op(file::Builtin_SPLIT, {none.f.add_integers("axis", {0}), none.x}, {});
  EXPECT_THAT(refusal(none.f), HasSubstr("it has 0 outputs, expected 1..1024"));
  OneOp axes({4, 6}, {4, 6});
  set_results(
      axes.f.add_op(file::Builtin_SPLIT, {axes.f.add_integers("axis", {0, 1}), axes.x}, {axes.y}),
      1);
  EXPECT_THAT(refusal(axes.f), HasSubstr("axis holds 2 numbers, expected 1"));
}

TEST(TfliteRefusals, a_resize_agrees_with_its_result) {
  OneOp op({1, 4, 4, 2}, {1, 8, 8, 2});
  EXPECT_THAT(op.refused(file::Builtin_RESIZE_NEAREST_NEIGHBOR, {op.f.add_integers("size", {8, 9})},
                         file::ResizeNearestT()),
              HasSubstr("size is [8,9], y is [1,8,8,2], must have the same height and width"));
}

}  // namespace
}  // namespace presil::import
