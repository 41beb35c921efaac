#include <string>

#include "tests/compiler/compile_check.h"
#include "tests/compiler/partition_random_network.h"

namespace presil::tests {
namespace {

SocConfig soc(uint32_t sram_bytes, unsigned channels = 4) {
  SocConfig config;
  config.sram.bytes = sram_bytes;
  config.dma.channels = channels;
  return config;
}

TEST(CompileRandom, networks_that_fit_the_sram_are_exact_in_any_order_of_the_queues) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    const ir::Graph graph = partition::RandomNetwork(seed).make();
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_compiled_exact(graph, soc(1 << 20));
    if (HasFailure()) break;
  }
}

TEST(CompileRandom, a_wide_array_computes_the_same) {
  for (uint32_t seed = 300; seed < 350; ++seed) {
    SocConfig config = soc(1 << 20);
    config.dla.macs_k = config.dla.macs_c = 32;
    config.dla.feat_ports = 8;
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_compiled_exact(partition::RandomNetwork(seed, 12, 70).make(), config);
    if (HasFailure()) break;
  }
}

// Tensors of these networks have up to 144 KiB.
TEST(CompileRandom, networks_cut_into_tiles_are_exact) {
  int moved = 0, cut = 0;
  for (uint32_t seed = 0; seed < 150; ++seed) {
    const ir::Graph graph = partition::RandomNetwork(seed, 48, 60).make();
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto check = expect_compiled_exact(graph, soc(16384 << seed % 3, 1 + seed / 2 % 4), 2);
    for (const auto& layer : check.compiled.layers) cut += layer.commands > 1 ? 1 : 0;
    for (const auto& placement : check.compiled.placements) {
      if (placement.reason().find("bytes of SRAM") == std::string::npos) continue;
      EXPECT_EQ(placement.engine, "host");
      ++moved;
    }
    if (HasFailure()) break;
  }
  std::printf("%d layers cut into tiles, %d ops on the host for lack of SRAM\n", cut, moved);
  EXPECT_GT(moved, 0);
  EXPECT_GT(cut, 150);
}

// Convolutions of hundreds of channels: sums in parts, of 16 and of 32 lanes.
TEST(CompileRandom, layers_of_many_channels_are_exact_in_little_memory) {
  int parts = 0;
  for (uint32_t seed = 500; seed < 560; ++seed) {
    const ir::Graph graph = partition::RandomNetwork(seed, 6, 400).make();
    SCOPED_TRACE("seed " + std::to_string(seed));
    SocConfig config = soc(8192 << seed % 4, 1 + seed / 2 % 4);
    if (seed % 3 == 0) config.dla.macs_k = config.dla.macs_c = 32;
    const auto check = expect_compiled_exact(graph, config, 2);
    const std::string& text = check.compiled.stream_text;
    for (size_t at = 0; (at = text.find("acc_init=int32", at)) != std::string::npos; ++at) ++parts;
    if (HasFailure()) break;
  }
  std::printf("%d commands go on from sums\n", parts);
  EXPECT_GT(parts, 100);
}

}  // namespace
}  // namespace presil::tests
