// Transposed convolutions from graph to commands: phases written between each other, wherever the
// result goes.
#include <gmock/gmock.h>

#include "compiler_bridge/ir/text.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

SocConfig soc(uint32_t sram_bytes) {
  SocConfig config;
  config.sram.bytes = sram_bytes;
  return config;
}

// 12 x 10 pixels of 20 channels to 24 x 20 of 24.
std::string graph_of(const std::string& numerics, const std::string& rest) {
  return "graph \"g\" " + numerics + R"( {
    input %x : int8[1,12,10,20] q(0.1, -5)
    const %w : int8[24,3,3,20] q(0.01, 0) = random 1
    const %b : int32[24] = random 2
    %y = transpose_conv2d(%x, %w, %b) {stride_h=2, stride_w=2, pad_bottom=1, pad_right=1} from [0] : int8[1,24,20,24] q(0.5, 9)
)" + rest +
         "\n}";
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(CompileTransposeConv, phases_are_written_in_place_with_wider_pitches) {
  const auto check =
      expect_compiled_exact(ir::parse(graph_of("tflite", "output %y")), soc(1 << 20));
  const size_t commands = count(check.compiled.stream_text, ": conv ");
  EXPECT_GE(commands, 4u);
  EXPECT_EQ(count(check.compiled.stream_text, "out_x_step=32"), commands);
  EXPECT_THAT(check.compiled.stream_text, Not(HasSubstr(": pass ")));
  ASSERT_EQ(check.compiled.placements.size(), 1u);
  EXPECT_EQ(check.compiled.placements[0].op, "transpose_conv2d");
  EXPECT_EQ(check.compiled.placements[0].engine, "dla");
  EXPECT_EQ(check.compiled.placements[0].reason(), "in phases, each written between the others");
}

TEST(CompileTransposeConv, a_table_after_it_is_looked_up_by_each_phase) {
  const auto check =
      expect_compiled_exact(ir::parse(graph_of("xnnpack",
                                               "%z = leaky_relu(%y) {alpha=0.1} from [1] : "
                                               "int8[1,24,20,24] q(0.5, 9)\noutput %z")),
                            soc(1 << 20));
  EXPECT_EQ(count(check.compiled.stream_text, "lut_en=1"),
            count(check.compiled.stream_text, ": conv "));
  EXPECT_THAT(check.compiled.stream_text, Not(HasSubstr(": pass ")));
  EXPECT_EQ(check.compiled.layers[0].op, "conv2d+leaky_relu");
}

TEST(CompileTransposeConv, beside_another_tensor_in_a_concatenation_it_is_still_in_place) {
  const auto check = expect_compiled_exact(ir::parse(graph_of("tflite", R"(
    const %v : int8[16,1,1,24] q(0.01, 0) = random 3
    %s = conv2d(%y, %v) from [1] : int8[1,24,20,16] q(0.5, 9)
    const %u : int8[32,3,3,16] q(0.01, 0) = random 4
    %up = transpose_conv2d(%s, %u) {stride_h=2, stride_w=2, pad_bottom=1, pad_right=1} from [2] : int8[1,48,40,32] q(0.5, 9)
    %other = resize_nearest(%s) from [3] : int8[1,48,40,16] q(0.5, 9)
    %c = concat(%up, %other) {axis=3} from [4] : int8[1,48,40,48] q(0.5, 9)
    const %t : int8[8,1,1,48] q(0.01, 0) = random 5
    %z = conv2d(%c, %t) from [5] : int8[1,48,40,8] q(0.5, 9)
    output %z)")),
                                           soc(1 << 20));
  EXPECT_GE(count(check.compiled.stream_text, "out_x_step=32"), 8u);
  EXPECT_EQ(count(check.compiled.stream_text, ": pass "), 1u);  // the upsampling by 2
}

TEST(CompileTransposeConv, in_little_memory_its_tiles_are_stored_between_each_other) {
  for (const uint32_t bytes : {48u << 10, 24u << 10, 16u << 10, 12u << 10}) {
    for (const char* numerics : {"tflite", "xnnpack"}) {
      SCOPED_TRACE(std::to_string(bytes) + " bytes, " + numerics);
      const std::string after = R"(
    const %v : int8[20,3,3,24] q(0.01, 0) = random 3
    %z = conv2d(%y, %v) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [1] : int8[1,24,20,20] q(0.5, 9)
    output %z)";
      const auto check = expect_compiled_exact(ir::parse(graph_of(numerics, after)), soc(bytes));
      for (const auto& placement : check.compiled.placements) EXPECT_EQ(placement.engine, "dla");
      expect_compiled_exact(ir::parse(graph_of(numerics, after + ", %y")), soc(bytes));
    }
  }
}

TEST(CompileTransposeConv, with_many_phases_the_host_computes_it) {
  const auto many = expect_compiled_exact(ir::parse(R"(graph "g" xnnpack {
    input %x : int8[1,3,3,4] q(0.1, -5)
    const %w : int8[5,16,18,4] q(0.01, 0) = random 1
    %y = transpose_conv2d(%x, %w) {stride_h=8, stride_w=9} from [0] : int8[1,32,36,5] q(0.5, 9)
    output %y
  })"),
                                          soc(1 << 20));
  EXPECT_EQ(many.compiled.placements[0].reason(),
            "dla: row stride times column stride is 72, must be 1..64");
}

}  // namespace
}  // namespace presil::tests
