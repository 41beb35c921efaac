// Element-wise kernels of the DSP on blocks of 16 channels, between layers of the DLA: the DLA
// would take these operators itself, so they are kept from it.
#include <gmock/gmock.h>

#include "compiler_bridge/emit/loadable.h"
#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/layer/dsp_layer.h"
#include "compiler_bridge/partition/partition.h"
#include "compiler_bridge/plan/arrange.h"
#include "compiler_bridge/plan/search.h"
#include "compiler_bridge/replay/check_memory.h"
#include "rtl/soc/loadable_generated.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

struct Made {
  std::vector<uint8_t> loadable;
  plan::Schedule schedule;
  const layer::DspLayer* dsp = nullptr;
  plan::Arranged arranged;
};

/// Compiles with op `index` on the DSP, and runs it in several orders.
Made expect_exact_on_dsp(const ir::Graph& imported, int index, const SocConfig& config) {
  Made made;
  ir::Graph graph = imported;
  partition::Limits limits;
  const placement::Finding most = {"sram.bytes", "2", "1"};
  limits.not_on[placement::Engine::kDla].emplace(
      index, placement::verdict(placement::Engine::kDla, placement::Verdict::Kind::kSram, most));
  const partition::Partition parts = partition::partition(graph, config, imported, limits);
  plan::Search search;
  made.arranged = plan::arrange(graph, parts.layers, config,
                                plan::lay_out(graph, parts.layers, config), search);
  made.schedule = plan::make_schedule(graph, made.arranged.layout, made.arranged.plan, config);
  for (const layer::Layer& layer : made.arranged.layout.layers) {
    if (made.dsp == nullptr) made.dsp = layer.work.as<layer::DspLayer>();
  }
  made.loadable = emit::write_loadable({imported,
                                        graph,
                                        parts,
                                        made.arranged.layout,
                                        made.arranged.plan,
                                        made.schedule,
                                        {},
                                        config});
  const replay::Checked checked =
      replay::check_memory(*loadable::GetLoadable(made.loadable.data()));
  EXPECT_FALSE(checked.wrong) << *checked.wrong;
  const auto inputs = random_values(imported, 7);
  const auto expected = reference::run_all(imported, inputs);
  StreamRunner runner(made.loadable, config);
  for (uint32_t seed = 0; seed < 6; ++seed) {
    EXPECT_EQ(runner.run(imported, inputs, expected, seed, seed == 0), "") << "order " << seed;
  }
  EXPECT_NE(made.dsp, nullptr);
  return made;
}

/// DMA commands that touch what a stored operand lies in, by the bytes.
size_t copies_in_sram_and_out(const Made& made) {
  size_t n = 0;
  for (const plan::ScheduledCommand& c : made.schedule.commands) {
    if (c.queue < PRESIL_QUEUE_DMA0 || c.layer == plan::kNone) continue;
    const auto& layer = made.arranged.layout.layers[size_t(c.layer)];
    const bool constants = c.accesses.front().space == plan::region_space(PRESIL_REGION_CONSTANTS);
    if (layer.work.as<layer::DspLayer>() != nullptr && !constants) ++n;
  }
  return n;
}

std::string table_between(int channels, const std::string& after) {
  const std::string c = std::to_string(channels), shape = "int8[1,6,7," + c + "]";
  return R"(graph "g" tflite {
    input %x : int8[1,6,7,8] q(0.05, -3)
    const %t : int8[256] = random 5
    const %w : int8[)" +
         c + ",1,1,8] q(0.01, 0) = random 1\n" + after + "\n  %a = conv2d(%x, %w) : " + shape +
         " q(0.05, 9)\n  %b = lut(%a, %t) : " + shape + " q(0.04, 2)\n";
}

class CompileDspLanes : public testing::TestWithParam<int> {};

TEST_P(CompileDspLanes, a_table_between_convolutions_moves_nothing) {
  const std::string c = std::to_string(GetParam());
  const ir::Graph graph = ir::parse(
      table_between(GetParam(), "const %v : int8[12,3,3," + c + "] q(0.01, 0) = random 2") +
      "%y = conv2d(%b, %v) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} : int8[1,6,7,12] "
      "q(0.05, 0)\noutput %y }");
  const Made made = expect_exact_on_dsp(graph, 1, SocConfig{});
  EXPECT_TRUE(made.dsp->inputs[0].stored && made.dsp->outputs[0].stored);
  EXPECT_FALSE(made.dsp->inputs[1].stored);
  EXPECT_EQ(copies_in_sram_and_out(made), 0u);
}

// Rows of an odd pitch: what lies between them is never written, and never read.
TEST_P(CompileDspLanes, a_table_before_a_window_of_lanes_leaves_the_gaps_alone) {
  const std::string c = std::to_string(GetParam()), shape = "int8[1,6,7," + c + "]";
  const ir::Graph graph = ir::parse(
      table_between(GetParam(), "const %v : int8[1,3,3," + c + "] q(0.01, 0) = random 2") +
      "%y = depthwise_conv2d(%b, %v) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} : " +
      shape +
      " q(0.05, 0)\n%z = max_pool2d(%a) {kernel_h=3, kernel_w=3, pad_top=1, pad_left=1, "
      "pad_bottom=1, pad_right=1} : " +
      shape + " q(0.05, 9)\noutput %y, %z }");
  const Made made = expect_exact_on_dsp(graph, 1, SocConfig{});
  EXPECT_TRUE(made.dsp->is_stored());
  EXPECT_EQ(copies_in_sram_and_out(made), 0u);
}

TEST_P(CompileDspLanes, a_concatenation_is_read_with_its_gaps) {
  const std::string c = std::to_string(GetParam()), two = std::to_string(2 * GetParam());
  const std::string half = "int8[1,6,7," + c + "] q(0.05, 9)", both = "int8[1,6,7," + two + "]";
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,6,7,8] q(0.05, -3)
    const %t : int8[256] = random 5
    const %u : int8[)" + c + R"(,1,1,8] q(0.01, 0) = random 1
    const %w : int8[)" + c + R"(,1,1,8] q(0.02, 0) = random 2
    const %v : int8[12,1,1,)" + two +
                                    R"(] q(0.01, 0) = random 3
    %a = conv2d(%x, %u) : )" + half +
                                    "\n%b = conv2d(%x, %w) : " + half +
                                    "\n%c = concat(%a, %b) {axis=3} : " + both +
                                    " q(0.05, 9)\n%d = lut(%c, %t) : " + both +
                                    " q(0.04, 2)\n%y = conv2d(%d, %v) : int8[1,6,7,12] q(0.05, 0)\n"
                                    "output %y }");
  const Made made = expect_exact_on_dsp(graph, 3, SocConfig{});
  EXPECT_TRUE(made.dsp->is_stored());
  EXPECT_EQ(copies_in_sram_and_out(made), 0u);
}

TEST_P(CompileDspLanes, without_room_for_all_of_it_the_table_works_on_tiles) {
  const std::string c = std::to_string(GetParam());
  ir::Graph graph = ir::parse(
      table_between(GetParam(), "const %v : int8[12,3,3," + c + "] q(0.01, 0) = random 2") +
      "%y = conv2d(%b, %v) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} : int8[1,6,7,12] "
      "q(0.05, 0)\noutput %y }");
  SocConfig config;
  config.sram.bytes = 4 << 10;
  const Made made = expect_exact_on_dsp(graph, 1, config);
  if (GetParam() > 16) {
    EXPECT_FALSE(made.dsp->is_stored());
    EXPECT_GE(copies_in_sram_and_out(made), 1u);
  }
}

INSTANTIATE_TEST_SUITE_P(Channels, CompileDspLanes, testing::Values(1, 16, 20, 33));

}  // namespace
}  // namespace presil::tests
