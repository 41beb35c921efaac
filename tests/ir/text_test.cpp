#include "compiler_bridge/ir/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/base/refusal.h"
#include "tests/ir/random_graph.h"

namespace presil::ir {
namespace {

using testing::HasSubstr;

const char* kSmall = R"(graph "small" xnnpack {
  # two operators and a head
  input %x : int8[1,4,4,3] q(0.5, -1)
  const %w : int8[2,3,3,3] q([0.1, 0.2], 0, axis=0) = random 7
  const %b : int32[2] = [100, -7]
  %y = conv2d(%x, %w, %b) {pad_top=1, pad_bottom=1, pad_left=1, pad_right=1, act=relu6} from [3] : int8[1,4,4,2] q(0.25, 3)
  %z "the end" = leaky_relu "act"(%y) {alpha=0.1} : int8[1,4,4,2] q(0.25, 3)
  output %z
})";

std::string refused_with(const std::string& text) {
  try {
    parse(text);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

TEST(Text, names_in_text_become_names_of_tensors_and_operators) {
  const Graph graph = parse(kSmall);
  verify(graph);
  ASSERT_EQ(graph.ops.size(), 2u);
  EXPECT_EQ(graph.name, "small");
  EXPECT_EQ(graph.numerics, Numerics::kXnnpack);
  EXPECT_EQ(graph.ops[0].name, "y");
  EXPECT_EQ(graph.ops[1].name, "act");
  EXPECT_EQ(graph.tensor(graph.outputs[0]).name, "the end");
  EXPECT_EQ(graph.ops[0].source_ops, std::vector<int>{3});
  EXPECT_EQ(graph.ops[0].as<Conv2d>().act, Activation::kRelu6);
  EXPECT_EQ(graph.ops[0].as<Conv2d>().stride_h, 1);  // left out: its default
  EXPECT_EQ(graph.tensor(graph.ops[0].input(1)).quantization.axis, 0);
  EXPECT_EQ(graph.tensor(graph.ops[0].input(2)).values<int32_t>()[1], -7);
}

TEST(Text, print_then_parse_is_the_identical_graph) {
  const Graph graph = parse(kSmall);
  EXPECT_EQ(parse(print(graph)), graph);
  EXPECT_EQ(print(parse(print(graph))), print(graph));
}

TEST(Text, five_hundred_random_graphs_come_back_identical) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    const Graph graph = RandomGraph(seed).make();
    verify(graph);
    ASSERT_EQ(parse(print(graph)), graph) << "seed " << seed << "\n" << print(graph);
  }
}

TEST(Text, every_kind_has_a_spelling_that_finds_it) {
  for (const OpInfo& entry : op_table()) {
    ASSERT_NE(find_op(entry.name), nullptr);
    EXPECT_EQ(find_op(entry.name)->kind, entry.kind);
  }
  EXPECT_EQ(find_op("conv3d"), nullptr);
}

TEST(Text, floats_keep_their_bits) {
  Graph graph = parse(kSmall);
  for (float scale : {1e-38f, 0.1f, 1.0f / 3.0f, 123456.789f, std::nextafter(1.0f, 2.0f)}) {
    graph.tensors[0].quantization.scales[0] = scale;
    EXPECT_EQ(parse(print(graph)).tensors[0].quantization.scales[0], scale);
  }
}

TEST(Text, constants_are_written_in_four_forms) {
  const Graph graph = parse(R"(graph "c" tflite {
    const %a : int16[3] = [-1, 2, 300]
    const %b : int8[4] = splat -5
    const %c : uint8[2] = hex "00ff"
    const %d : float32[2] = [0.5, -1e-3]
    const %e : int8[4] = random 1
    output
  })");
  EXPECT_EQ(graph.tensors[0].values<int16_t>()[2], 300);
  EXPECT_EQ(*graph.tensors[1].data, Bytes(4, 0xfb));
  EXPECT_EQ(*graph.tensors[2].data, (Bytes{0x00, 0xff}));
  EXPECT_EQ(graph.tensors[3].values<float>()[1], -1e-3f);
  EXPECT_EQ(parse(print(graph)), graph);
}

TEST(Text, without_payload_large_constants_are_size_and_fingerprint_and_are_not_read_back) {
  const std::string text = print(parse(kSmall), PrintOptions{false});
  EXPECT_THAT(text, HasSubstr("= bytes 54 0x"));
  EXPECT_THAT(text, HasSubstr("= [100, -7]"));
  EXPECT_THAT(refused_with(text), HasSubstr("print it with payload"));
}

TEST(Text, for_people_many_scales_are_their_range_and_number_and_names_may_be_given) {
  const Graph graph = parse(R"(graph "g" tflite {
      input %x : int8[1,1,1,1] q(0.5, 0)
      const %w : int8[6,1,1,1] q([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 0, axis=0) = splat 1
      %y "a/b;c/d" = conv2d "model/op"(%x, %w) : int8[1,1,1,6] q(0.25, 3)
      output %y
    })");
  PrintOptions options;
  options.payload = false;
  EXPECT_THAT(print(graph, options), HasSubstr("q([0.1 .. 0.6 of 6], 0, axis=0)"));
  EXPECT_THAT(print(graph), HasSubstr("q([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 0, axis=0)"));
  options.names = {"x", "op.weights", "op"};
  EXPECT_THAT(print(graph, options), HasSubstr("%2 \"op\" = conv2d(%0, %1)"));
  EXPECT_THAT(print(graph, options), HasSubstr("const %1 \"op.weights\" : int8[6,1,1,1]"));
}

TEST(Text, refusals_say_line_got_and_expected) {
  EXPECT_THAT(refused_with(""), HasSubstr("line 1, column 1: got the end, expected \"graph\""));
  EXPECT_THAT(refused_with("graph \"g\" tflite {\n  input 3\n}"),
              HasSubstr("line 2, column 9: got \"3\", expected a tensor such as %3"));
  EXPECT_THAT(refused_with("graph \"g\" tflite {\n input %0 : int8[1,x]\n}"),
              HasSubstr("got \"x\", expected a whole number"));
  EXPECT_THAT(refused_with("graph \"g\" tflite { input %0 : int9[1] }"), HasSubstr("\"int9\""));
  EXPECT_THAT(refused_with("graph \"g\" tflite { %0 = conv9() : int8[1] }"),
              HasSubstr("\"conv9\""));
  EXPECT_THAT(refused_with("graph \"g\" tflite { input %0 : int8[1] input %0 : int8[1] }"),
              HasSubstr("%0 is there already"));
  EXPECT_THAT(refused_with("graph \"g\" tflite { input %0 : int8[1] output %1 }"),
              HasSubstr("nothing introduces %1"));
  EXPECT_THAT(refused_with("graph \"g\" tflite { input %0 : int8[1]\n %1 = relu(%0) {slope=1} : "
                           "int8[1] }"),
              HasSubstr("relu has no attribute \"slope\""));
  EXPECT_THAT(refused_with("graph \"g"), HasSubstr("a string is not closed"));
}

TEST(Text, cut_anywhere_it_is_refused_not_crashed) {
  const std::string text = print(parse(kSmall));
  for (size_t length = 0; length + 2 < text.size(); ++length) {
    ASSERT_NE(refused_with(text.substr(0, length)), "taken") << length;
  }
}

}  // namespace
}  // namespace presil::ir
