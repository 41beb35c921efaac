// uint8 networks: what the DMA moves in any case has its sign bit flipped on the way, what it does
// not, the host converts; every byte is the reference's.
#include <gmock/gmock.h>

#include <sstream>

#include "compiler_bridge/ir/text.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kIn = R"(
  input %u : uint8[1,16,16,3] q(0.1, 131)
  const %w : int8[24,3,3,3] q(0.01, 0) = random 1
  const %v : int8[24,3,3,24] q(0.01, 0) = random 2
  %x = quantize(%u) from [0] : int8[1,16,16,3] q(0.1, 3)
  %a = conv2d(%x, %w) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [1] : int8[1,16,16,24] q(0.2, -5)
)";
constexpr const char* kSecond = R"(
  %b = conv2d(%a, %v) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [2] : int8[1,16,16,24] q(0.3, 7)
)";

ir::Graph graph(const std::string& lines, const char* numerics = "tflite") {
  return ir::parse(std::string("graph \"g\" ") + numerics + " {" + lines + "}");
}

compile::Compiled compiled(const ir::Graph& graph, uint32_t sram_bytes = 1 << 20) {
  SocConfig config;
  config.sram.bytes = sram_bytes;
  return expect_compiled_exact(graph, config).compiled;
}

std::string reason_of(const compile::Compiled& c, size_t op) {
  return c.placements.at(op).engine + ": " + c.placements.at(op).reason();
}

int bit_flips(const compile::Compiled& c, const std::string& moved) {
  std::istringstream lines(c.stream_text);
  int found = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool converted = line.find("xor80=1") != std::string::npos;
    found += converted && line.find(moved) != std::string::npos ? 1 : 0;
  }
  return found;
}

TEST(CompileUnsigned, a_network_of_convolutions_needs_no_host) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    const auto c = compiled(graph(std::string(kIn) + R"(
      %y = quantize(%a) from [2] : uint8[1,16,16,24] q(0.2, 123)
      output %y)",
                                  numerics));
    EXPECT_THAT(c.stream_text, Not(HasSubstr("host 0")));
    EXPECT_GT(bit_flips(c, "src_space=system"), 0);
    EXPECT_GT(bit_flips(c, "dst_space=system"), 0);
    const std::string none = "none: no work: the dma flips bit 7 of every byte on its way";
    EXPECT_EQ(reason_of(c, 0), none);
    EXPECT_EQ(reason_of(c, 2), none);
  }
}

TEST(CompileUnsigned, an_int8_output_beside_the_uint8_one_keeps_its_bytes) {
  compiled(graph(std::string(kIn) + R"(
    %y = quantize(%a) from [2] : uint8[1,16,16,24] q(0.2, 123)
    output %a, %y)"));
}

// 16 x 16 x 24 int8 as C16 are 8 KiB, as much as the second convolution makes: nothing stays.
TEST(CompileUnsigned, what_was_stored_as_uint8_is_int8_when_it_is_read_again) {
  const auto c = compiled(graph(std::string(kIn) + kSecond + R"(
    %y = quantize(%a) from [3] : uint8[1,16,16,24] q(0.2, 123)
    output %y, %b)"),
                          12 << 10);
  EXPECT_GT(bit_flips(c, "; b"), 0);  // loads of the second convolution
}

TEST(CompileUnsigned, after_a_view_and_a_concatenation) {
  const auto c = compiled(graph(std::string(kIn) + R"(
    %d = conv2d(%a, %v) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [2] : int8[1,16,16,24] q(0.2, -5)
    %c = concat(%a, %d) {axis=3} from [3] : int8[1,16,16,48] q(0.2, -5)
    %r = reshape(%c) from [4] : int8[1,256,48] q(0.2, -5)
    %y = quantize(%r) from [5] : uint8[1,256,48] q(0.2, 123)
    output %y)"));
  EXPECT_THAT(c.stream_text, Not(HasSubstr("host 0")));
}

TEST(CompileUnsigned, bytes_that_others_read_are_the_host_s) {
  const auto c = compiled(graph(std::string(kIn) + R"(
    %s = softmax(%x) from [2] : int8[1,16,16,3] q(0.00390625, -128)
    output %a, %s)"));
  EXPECT_EQ(
      reason_of(c, 0),
      "dma: moved from memory to memory (a consumer of y is another than the dla, must be the "
      "dla)");
}

// The DLA transposes it as the matrix that it is: a view, which the sign-bit flip is not loaded
// into.
TEST(CompileUnsigned, bytes_that_are_read_as_a_matrix_are_converted_before) {
  const auto c = compiled(graph(R"(
    input %u : uint8[4,3,1] q(0.1, 17)
    %x = quantize(%u) from [0] : int8[4,3,1] q(0.1, -111)
    %t = transpose(%x) {perm=[2,1,0]} from [1] : int8[1,3,4] q(0.1, -111)
    %y = quantize(%t) from [2] : uint8[1,3,4] q(0.1, 17)
    output %y)",
                                "xnnpack"));
  EXPECT_EQ(c.placements.at(1).engine, "dla");
  EXPECT_THAT(reason_of(c, 0), HasSubstr("a consumer of y is another than the dla"));
}

TEST(CompileUnsigned, bytes_that_the_dla_does_not_make_are_the_dmas) {
  const auto c = compiled(graph(R"(
    input %x : int8[1,4,4,16] q(0.1, 3)
    %y = quantize(%x) from [0] : uint8[1,4,4,16] q(0.1, 131)
    output %y)"));
  EXPECT_EQ(
      reason_of(c, 0),
      "dma: moved from memory to memory (the producer of x is another than the dla, must be the "
      "dla)");
}

// It is a table, which the convolution before it looks up.
TEST(CompileUnsigned, another_scale_is_no_bit_flip) {
  const auto c = compiled(graph(std::string(kIn) + R"(
    %y = quantize(%a) from [2] : uint8[1,16,16,24] q(0.21, 123)
    output %y)"));
  EXPECT_EQ(reason_of(c, 2), "dla: fused into conv2d 'a'");
}

}  // namespace
}  // namespace presil::tests
