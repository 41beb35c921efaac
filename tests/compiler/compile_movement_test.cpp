// Operators that only move values, from the network to the bytes that the commands leave.
#include <gmock/gmock.h>

#include <cstring>
#include <sstream>
#include <utility>

#include "compiler_bridge/ir/text.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> engines(const compile::Compiled& compiled) {
  std::vector<std::string> all;
  for (const placement::Placement& p : compiled.placements) all.push_back(p.engine);
  return all;
}

SocConfig soc(uint32_t sram_bytes = 1 << 20) {
  SocConfig config;
  config.sram.bytes = sram_bytes;
  return config;
}

constexpr const char* kAnchors = R"(graph "g" tflite {
  input %x : int8[1,19,19,8] q(0.5, -3)
  const %v : int8[12,1,1,8] q(0.02, 0) = random 7
  const %w : int8[8,3,3,8] q(0.02, 0) = random 8
  const %u : int8[12,1,1,8] q(0.02, 0) = random 9
  %a = conv2d(%x, %v) : int8[1,19,19,12] q(0.8, 4)
  %b = reshape(%a) : int8[1,1083,1,4] q(0.8, 4)
  %c = conv2d(%x, %w) {stride_h=2, stride_w=2} : int8[1,9,9,8] q(0.7, 4)
  %d = conv2d(%c, %u) : int8[1,9,9,12] q(0.8, 4)
  %e = reshape(%d) : int8[1,243,1,4] q(0.8, 4)
  %f = concat(%b, %e) {axis=1} : int8[1,1326,1,4] q(0.8, 4)
  %g = logistic(%f) : int8[1,1326,1,4] q(0.00390625, -128)
  output %f, %g
})";

// Part a has 19 * 19 * 12 = 4332 bytes; part d is stored after it, and the table's layer reads
// both.
TEST(CompileStack, parts_are_stored_one_after_another) {
  const CompileCheck check = expect_compiled_exact(ir::parse(kAnchors), soc());
  EXPECT_THAT(engines(check.compiled),
              ElementsAre("dla", "none", "dla", "dla", "none", "dla", "dla"));
  EXPECT_THAT(check.compiled.stream_text, HasSubstr("dst_base=0x10ec "));
}

TEST(CompileStack, it_is_exact_in_little_memory) {
  for (const uint32_t bytes : {4096u, 8192u, 16384u}) {
    SCOPED_TRACE(bytes);
    expect_compiled_exact(ir::parse(kAnchors), soc(bytes));
  }
}

// As at the end of YOLOv8: images as rows of channels, side by side, then groups of 16 channels.
constexpr const char* kRows = R"(graph "g" tflite {
  input %x : int8[1,6,6,8] q(0.5, -3)
  const %v : int8[48,1,1,8] q(0.02, 0) = random 7
  const %w : int8[48,2,2,48] q(0.02, 0) = random 8
  %a = conv2d(%x, %v) : int8[1,6,6,48] q(0.8, 4)
  %b = transpose(%a) {perm=[0,3,1,2]} : int8[1,48,6,6] q(0.8, 4)
  %c = reshape(%b) : int8[1,48,36] q(0.8, 4)
  %d = conv2d(%a, %w) {stride_h=2, stride_w=2} : int8[1,3,3,48] q(0.8, 4)
  %e = transpose(%d) {perm=[0,3,1,2]} : int8[1,48,3,3] q(0.8, 4)
  %f = reshape(%e) : int8[1,48,9] q(0.8, 4)
  %g = concat(%c, %f) {axis=2} : int8[1,48,45] q(0.8, 4)
  %h = reshape(%g) : int8[1,3,16,45] q(0.8, 4)
  %i = transpose(%h) {perm=[0,1,3,2]} : int8[1,3,45,16] q(0.8, 4)
  output %i
})";

TEST(CompileTranspose, nothing_is_left_to_the_host) {
  for (const uint32_t bytes : {1u << 20, 1u << 14, 1u << 13}) {
    SCOPED_TRACE(bytes);
    const CompileCheck check = expect_compiled_exact(ir::parse(kRows), soc(bytes));
    EXPECT_THAT(engines(check.compiled), ::testing::Not(::testing::Contains("host")));
  }
}

/// What the DLA makes leaves the SRAM as an output; layers read it as a view: as an image, as an
/// operand, as weights. Of uint8 the output has bit 7 of every byte the other way round.
std::string read_as_views(bool is_unsigned) {
  const std::string y = is_unsigned ? "%u" : "%a";
  return R"(graph "g" tflite {
    input %x : int8[1,16,16,16] q(0.1, 0)
    const %v : int8[96,1,1,16] q(0.01, 0) = random 1
    %a = conv2d(%x, %v) from [0] : int8[1,16,16,96] q(0.5, 0)
    %b = reshape(%a) from [1] : int8[1,32,8,96] q(0.5, 0)
    %c = max_pool2d(%b) {kernel_h=3, kernel_w=3, pad_top=1, pad_left=1, pad_bottom=1, pad_right=1}
      from [2] : int8[1,32,8,96] q(0.5, 0)
    %d = add(%c, %b) from [3] : int8[1,32,8,96] q(0.7, 0)
    %e = reshape(%a) from [4] : int8[256,96] q(0.5, 0)
    %f = batch_matmul(%e, %e) {transpose_b=true} from [5] : int8[256,256] q(9, 0)
    %u = quantize(%a) from [6] : uint8[1,16,16,96] q(0.5, 128)
    output )" +
         y + ", %d, %f\n}";
}

TEST(CompileView, of_an_output_comes_back_from_memory) {
  for (const bool is_unsigned : {false, true}) {
    for (const uint32_t bytes : {1u << 20, 24576u, 1u << 14}) {
      SCOPED_TRACE(std::to_string(bytes) + (is_unsigned ? " of uint8" : ""));
      expect_compiled_exact(ir::parse(read_as_views(is_unsigned)), soc(bytes));
    }
  }
}

// What the host reads early of %a, as uint8 or within a whole, is where the DLA finds %a late.
TEST(CompileView, what_is_read_late_stays_in_memory_until_then) {
  for (const std::string early : {"quantize(%a) from [1] : uint8[1,16,16,96] q(0.5, 128)\n"
                                  "%k = dequantize(%u) from [2] : float32[1,16,16,96]",
                                  "concat(%a, %p) {axis=3} from [1] : int8[1,16,16,192] q(0.5, 0)\n"
                                  "%k = dequantize(%u) from [2] : float32[1,16,16,192]"}) {
    for (const uint32_t bytes : {1u << 20, 49152u, 1u << 14}) {
      SCOPED_TRACE(early + " in " + std::to_string(bytes));
      expect_compiled_exact(ir::parse(R"(graph "g" tflite {
        input %x : int8[1,16,16,16] q(0.1, 0)
        const %v : int8[96,1,1,16] q(0.01, 0) = random 1
        const %w : int8[96,3,3,96] q(0.01, 0) = random 2
        %a = conv2d(%x, %v) from [0] : int8[1,16,16,96] q(0.5, 0)
        %p = max_pool2d(%a) {kernel_h=1, kernel_w=1} from [3] : int8[1,16,16,96] q(0.5, 0)
        %u = )" + early + R"(
        %b = conv2d(%a, %w) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [4]
          : int8[1,16,16,96] q(9.5, 0)
        %c = conv2d(%b, %w) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [5]
          : int8[1,16,16,96] q(99, 0)
        %d = add(%c, %a) from [6] : int8[1,16,16,96] q(99, 0)
        output %d, %k
      })"),
                            soc(bytes));
    }
  }
}

// Nothing but the product reads the view, whose rows it takes for weights.
TEST(CompileView, of_an_output_is_weights) {
  for (const uint32_t bytes : {1u << 20, 24576u, 1u << 14}) {
    SCOPED_TRACE(bytes);
    expect_compiled_exact(ir::parse(R"(graph "g" tflite {
      input %x : int8[1,16,16,16] q(0.1, 0)
      input %z : int8[20,96] q(0.1, 0)
      const %v : int8[96,1,1,16] q(0.01, 0) = random 1
      %a = conv2d(%x, %v) from [0] : int8[1,16,16,96] q(0.5, 0)
      %e = reshape(%a) from [1] : int8[256,96] q(0.5, 0)
      %f = batch_matmul(%z, %e) {transpose_b=true} from [2] : int8[20,256] q(9, 0)
      %t = transpose(%e) {perm=[1,0]} from [3] : int8[96,256] q(0.5, 0)
      output %a, %f, %t
    })"),
                          soc(bytes));
  }
}

// Few channels lie in dense rows, each from a word on; here two layers see rows of other lengths.
TEST(CompileView, of_an_input_in_rows_of_two_lengths) {
  for (const char* other : {"[1,16,4,3]", "[1,4,16,3]", "[1,1,64,3]"}) {
    for (const bool swapped : {false, true}) {
      SCOPED_TRACE(other + std::string(swapped ? " first" : ""));
      const std::string first = "%x", second = "%r";
      const std::string a = swapped ? second : first, b = swapped ? first : second;
      const std::string rows(other, std::strlen(other) - 2);
      const std::string of_a = swapped ? rows : "[1,8,8,", of_b = swapped ? "[1,8,8," : rows;
      expect_compiled_exact(ir::parse(R"(graph "g" tflite {
        input %x : int8[1,8,8,3] q(0.05, -14)
        const %u : int8[16,1,1,3] q(0.02, 0) = random 2
        const %v : int8[32,1,1,3] q(0.03, 0) = random 1
        %r = reshape(%x) from [0] : int8)" +
                                      std::string(other) + R"( q(0.05, -14)
        %a = conv2d()" + a + ", %u) from [1] : int8" +
                                      of_a + R"(16] q(0.1, 0)
        %b = conv2d()" + b + ", %v) from [2] : int8" +
                                      of_b + R"(32] q(0.1, 0)
        output %a, %b
      })"),
                            soc());
    }
  }
}

// %a is complete before the whole that it is a part of is: its transposition lies between them.
TEST(CompileTranspose, of_a_part_of_a_concatenation) {
  for (const char* both : {"%a, %z", "%z, %a"}) {
    SCOPED_TRACE(both);
    expect_compiled_exact(ir::parse(std::string(R"(graph "g" tflite {
      input %x : int8[1,24,6,60] q(0.5, 11)
      input %z : int8[1,24,6,64] q(0.5, 11)
      %a = relu6(%x) : int8[1,24,6,60] q(0.5, 11)
      %t = transpose(%a) {perm=[0,3,1,2]} : int8[1,60,24,6] q(0.5, 11)
      %c = concat()") + both + R"() {axis=3} : int8[1,24,6,124] q(0.5, 11)
      output %t, %c
    })"),
                          soc());
  }
}

// The matrix that picks columns has as many pixels as the array lanes, the accumulators hold fewer.
TEST(CompileTranspose, few_accumulators_take_parts_of_the_lanes) {
  for (const auto& [lanes, accumulators] :
       {std::pair{32u, 16u}, {48u, 17u}, {48u, 24u}, {64u, 40u}}) {
    SCOPED_TRACE(std::to_string(lanes) + " lanes, " + std::to_string(accumulators));
    SocConfig config = soc();
    config.dla.macs_c = lanes;
    config.dla.acc_depth = accumulators;
    const CompileCheck check = expect_compiled_exact(ir::parse(R"(graph "g" tflite {
      input %x : int8[1,61,70] q(0.5, -3)
      input %z : int8[1,20,61] q(0.25, 5)
      %a = transpose(%x) {perm=[0,2,1]} : int8[1,70,61] q(0.5, -3)
      %b = batch_matmul(%z, %x) : int8[1,20,70] q(4, 1)
      output %a, %b
    })"),
                                                     config);
    EXPECT_THAT(engines(check.compiled), ::testing::Contains("dla"));
  }
}

// Swaps the two axes before rows of 320 bytes, takes every other one, puts floats after floats.
constexpr const char* kMoves = R"(graph "g" tflite {
  input %x : int8[1,6,8,320] q(0.5, -3)
  input %u : uint8[1,2,40] q(0.5, 125)
  %a = transpose(%x) {perm=[0,2,1,3]} : int8[1,8,6,320] q(0.5, -3)
  %b = strided_slice(%a) {begin=[0,7,0,0], size=[1,4,6,320], step=[1,-2,1,1]} : int8[1,4,6,320] q(0.5, -3)
  %c = dequantize(%b) : float32[1,4,6,320]
  %d = concat(%c, %c) {axis=2} : float32[1,4,12,320]
  %v = quantize(%u) : int8[1,2,40] q(0.5, -3)
  output %d, %v
})";

TEST(CompileCopy, memory_to_memory_is_the_dmas) {
  const CompileCheck check = expect_compiled_exact(ir::parse(kMoves), soc());
  EXPECT_THAT(engines(check.compiled), ElementsAre("dma", "dma", "dsp", "dma", "dma"));
  const std::vector<int> commands = {1, 1, 1, 2, 1};
  for (size_t i = 0; i < commands.size(); ++i) {
    EXPECT_EQ(check.compiled.layers[i].engine, engines(check.compiled)[i]);
    EXPECT_EQ(check.compiled.layers[i].commands, commands[i]) << i;
  }
  EXPECT_EQ(
      check.compiled.placements[4].reason(),
      "moved from memory to memory (a consumer of y is another than the dla, must be the dla)");
}

// Rows of one byte: a burst each.
TEST(CompileCopy, the_host_does_what_it_is_faster_at) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,6,8,32] q(0.5, -3)
    %a = transpose(%x) {perm=[0,3,2,1]} : int8[1,32,8,6] q(0.5, -3)
    output %a
  })");
  SocConfig slow = soc();
  slow.dsp.units = 0;
  slow.host = quick_host();
  const CompileCheck check = expect_compiled_exact(graph, slow);
  EXPECT_THAT(engines(check.compiled), ElementsAre("host"));
  EXPECT_THAT(check.compiled.placements[0].reason(),
              HasSubstr("(bytes in a row: 1), the host takes"));
  slow.host.kernels["transpose"] = {0, 1000, 0.125};
  EXPECT_THAT(engines(expect_compiled_exact(graph, slow).compiled), ElementsAre("dma"));
}

/// Commands of a layer, and how many of them touch memory.
std::pair<int, int> commands_in_memory(const std::string& streams, const std::string& layer) {
  std::istringstream lines(streams);
  int all = 0, memory = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("; " + layer + " [") == std::string::npos) continue;
    ++all;
    if (line.find("space=system") != std::string::npos) ++memory;
  }
  return {all, memory};
}

// The middle of the image, 4 edges, 4 corners.
TEST(CompileMovement, what_the_dma_moves_between_layers_stays_in_the_sram) {
  const std::string network = R"(graph "g" tflite {
    input %x : int8[1,12,31,16] q(0.1, -4)
    const %v : int8[24,1,1,16] q(0.01, 0) = random 1
    const %w : int8[8,3,3,24] q(0.01, 0) = random 2
    %a = conv2d(%x, %v) from [0] : int8[1,12,31,24] q(0.1, 3)
    %b = mirror_pad(%a) {before=[0,1,1,0], after=[0,1,1,0], symmetric=true} from [1] : int8[1,14,33,24] q(0.1, 3)
    %y = conv2d(%b, %w) from [2] : int8[1,12,31,8] q(0.1, 3)
    output %y
  })";
  const auto in_sram = expect_compiled_exact(ir::parse(network), soc());
  ASSERT_THAT(engines(in_sram.compiled), ElementsAre("dla", "dma", "dla"));
  EXPECT_EQ(commands_in_memory(in_sram.compiled.stream_text, "b"), std::pair(9, 0));
  // 8,928 and 11,088 bytes do not fit beside weights and tiles.
  const auto in_memory = expect_compiled_exact(ir::parse(network), soc(16 << 10));
  EXPECT_GT(commands_in_memory(in_memory.compiled.stream_text, "b").second, 0);
}

}  // namespace
}  // namespace presil::tests
