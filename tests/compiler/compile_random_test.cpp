#include "compiler_bridge/ir/text.h"
#include "rtl/soc/refusal.h"
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
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const ir::Graph graph = partition::RandomNetwork(seed).make();
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_compiled_exact(graph, soc(1 << 20));
    if (HasFailure()) break;
  }
}

TEST(CompileRandom, networks_cut_into_tiles_are_exact) {
  int refused = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const ir::Graph graph = partition::RandomNetwork(seed).make();
    SCOPED_TRACE("seed " + std::to_string(seed));
    try {
      expect_compiled_exact(graph, soc(16 << 10, 1 + seed % 4));
    } catch (const Refusal&) {
      ++refused;
    }
    if (HasFailure()) break;
  }
  EXPECT_LT(refused, 10);
}

}  // namespace
}  // namespace presil::tests
