// Networks compiled for a SoC that has the engine: what it gets, in which tiles, and that every
// byte that a command reads is the one that it should be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "compiler_bridge/compile/compile.h"
#include "compiler_bridge/compile/stages.h"
#include "compiler_bridge/engine/joined.h"
#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/layer/text.h"
#include "compiler_bridge/replay/check_memory.h"
#include "pool/pool_description.h"
#include "pool_compiler.h"
#include "rtl/common/joined_engines.h"
#include "rtl/soc/loadable_generated.h"

namespace presil::pool::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

void join_once() {
  static const PoolCompiler kCompiler;
  static const bool kJoined = presil_join_engine(presil_pool_description());
  if (kJoined && engine::find("pool") == nullptr)
    engine::join(*presil_pool_description(), &kCompiler);
}

SocConfig soc_with(unsigned sram_kib, unsigned units = 1) {
  join_once();
  SocConfig config;
  config.sram.bytes = sram_kib << 10;
  config.engines["pool"].units = units;
  config.engines["pool"].parameters = {{"table_entries", 128}, {"prefetch", 2}};
  return config;
}

/// Two windows and two resizes one after another.
ir::Graph chain(const std::string& numerics) {
  return ir::parse("graph \"chain\" " + numerics + R"( {
  input %x : int8[1,40,36,24] q(0.5, -3)
  %a = max_pool2d(%x) {kernel_h=3, kernel_w=3, stride_h=2, stride_w=2, pad_top=1, pad_left=1, pad_bottom=0, pad_right=0} : int8[1,20,18,24] q(0.5, -3)
  %b = resize_bilinear(%a) {half_pixel_centers=true} : int8[1,50,45,24] q(0.5, -3)
  %c = average_pool2d(%b) {kernel_h=2, kernel_w=2, stride_h=2, stride_w=2} : int8[1,25,22,24] q(0.5, -3)
  %d = resize_nearest(%c) {align_corners=true} : int8[1,60,64,24] q(0.5, -3)
  output %d
}
)");
}

std::vector<std::string> engines_of(const compile::Compiled& compiled) {
  std::vector<std::string> engines;
  for (const compile::LayerInfo& layer : compiled.layers) engines.push_back(layer.engine);
  return engines;
}

class PoolNetwork : public testing::TestWithParam<unsigned> {};

TEST_P(PoolNetwork, EveryByteIsTheRightOne) {
  for (const char* numerics : {"tflite", "xnnpack"}) {
    const compile::Compiled c = compile::compile(chain(numerics), soc_with(GetParam()));
    EXPECT_THAT(engines_of(c), Contains("pool"));
    const auto checked = replay::check_memory(*loadable::GetLoadable(c.loadable.data()));
    EXPECT_FALSE(checked.wrong) << *checked.wrong;
  }
}
INSTANTIATE_TEST_SUITE_P(SramKiB, PoolNetwork, testing::Values(16u, 32u, 64u, 128u, 256u, 1024u));

TEST(PoolNetworks, LayersAreTextAndBack) {
  const std::string text = compile::stage_text("layers", chain("tflite"), soc_with(1024), {});
  EXPECT_THAT(text, HasSubstr("  pool {op=bilinear"));
  EXPECT_EQ(layer::print(layer::parse(text)), text);
}

TEST(PoolNetworks, ASocWithoutItHasNoneOfItsCommands) {
  const compile::Compiled c = compile::compile(chain("tflite"), soc_with(1024, 0));
  EXPECT_THAT(engines_of(c), testing::Not(Contains("pool")));
  EXPECT_THAT(c.stream_text, testing::Not(HasSubstr("pool 0:")));
}

}  // namespace
}  // namespace presil::pool::test
