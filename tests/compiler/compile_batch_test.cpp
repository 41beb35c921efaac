// Networks of several images, on engines: as exact as those of one.
#include <sstream>

#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/ir/with_batch.h"
#include "tests/compiler/compile_check.h"
#include "tests/compiler/partition_random_network.h"

namespace presil::tests {
namespace {

SocConfig soc(uint32_t sram_bytes) {
  SocConfig config;
  config.sram.bytes = sram_bytes;
  return config;
}

TEST(CompileBatch, random_networks_of_2_to_4_images_are_exact) {
  for (uint32_t seed = 0; seed < 90; ++seed) {
    const ir::Graph graph = partition::RandomNetwork(1000 + seed).make();
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_compiled_exact(ir::with_batch(graph, 2 + seed % 3), soc(1 << 20));
    if (HasFailure()) break;
  }
}

TEST(CompileBatch, so_they_are_in_tiles) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    const ir::Graph graph = partition::RandomNetwork(2000 + seed, 32, 60).make();
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_compiled_exact(ir::with_batch(graph, 2 + seed % 3), soc(32768), 2);
    if (HasFailure()) break;
  }
}

TEST(CompileBatch, a_transposed_convolution_is_split_by_images_and_phases) {
  const auto check = expect_compiled_exact(ir::parse(R"(graph "g" tflite {
    input %x : int8[2,3,3,4] q(0.1, -5)
    const %w : int8[5,3,3,4] q(0.01, 0) = random 1
    %y = transpose_conv2d(%x, %w) {stride_h=2, stride_w=2} from [0] : int8[2,7,7,5] q(0.5, 9)
    output %y
  })"),
                                           soc(1 << 20));
  EXPECT_NE(check.compiled.placements[0].engine, "host");
}

/// Commands that load from the region of constants, which is number 0.
int loads_of_constants(const std::string& streams) {
  std::istringstream lines(streams);
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool load = line.find("copy src_space=system") != std::string::npos;
    count += load && line.find("src_region") == std::string::npos;
  }
  return count;
}

// 64 x 9 x 64 bytes of weights and 4 x 144 of parameters each: 37,440. An image has 8 x 8 x 64
// bytes.
TEST(CompileBatch, weights_stay_from_the_first_image_to_the_last_where_they_fit) {
  const std::string network = R"(graph "g" tflite {
    input %x : int8[3,8,8,64] q(0.1, -5)
    const %v : int8[64,3,3,64] q(0.01, 0) = random 1
    const %w : int8[64,3,3,64] q(0.01, 0) = random 2
    %a = conv2d(%x, %v) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [0] : int8[3,8,8,64] q(0.9, 9)
    %y = conv2d(%a, %w) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [1] : int8[3,8,8,64] q(0.9, 9)
    output %y
  })";
  const auto both = expect_compiled_exact(ir::parse(network), soc(128 << 10));
  // Those of the very first layer come in 4 blocks, so that it begins early; then once for its
  // other images, and once for the second layer.
  EXPECT_EQ(loads_of_constants(both.compiled.stream_text), 4 + 1 + 1);
  // 37,440 and 16 KiB for the images leave no capacity for another 37,440.
  const auto one = expect_compiled_exact(ir::parse(network), soc(64 << 10));
  EXPECT_GT(loads_of_constants(one.compiled.stream_text), 4 + 1 + 1);
}

// Batches that a reshape makes within a network of one image.
TEST(CompileBatch, windows_of_one_image_are_computed_by_the_dla) {
  const auto check = expect_compiled_exact(ir::parse(R"(graph "g" xnnpack {
    input %x : int8[1,8,8,16] q(0.1, -5)
    const %w : int8[16,3,3,16] q(0.01, 0) = random 1
    const %v : int8[16,1,1,16] q(0.01, 0) = random 2
    %a = reshape(%x) from [0] : int8[4,4,4,16] q(0.1, -5)
    %b = conv2d(%a, %w) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} from [1] : int8[4,4,4,16] q(0.2, 3)
    %c = reshape(%b) from [2] : int8[1,8,8,16] q(0.2, 3)
    %d = reshape(%c) from [3] : int8[2,4,8,16] q(0.2, 3)
    %e = conv2d(%d, %v) from [4] : int8[2,4,8,16] q(0.2, 3)
    %y = reshape(%e) from [5] : int8[1,512,2] q(0.2, 3)
    output %y
  })"),
                                           soc(1 << 20));
  for (const auto& placement : check.compiled.placements) {
    EXPECT_NE(placement.engine, "host") << placement.name << ": " << placement.reason();
  }
}

}  // namespace
}  // namespace presil::tests
