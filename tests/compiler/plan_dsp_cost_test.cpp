// Cycles of kernels on DSPs other than that for which they were measured; selects of images.
#include <gtest/gtest.h>

#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/layer/dsp_cost.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dsp_images.h"

namespace presil::plan {
namespace {

DspConfig dsp(unsigned vlen, unsigned dlen) {
  DspConfig config;
  config.vlen = vlen, config.dlen = dlen;
  return config;
}

TEST(DspCost, NoDspIsFasterThanOneThatIsWider) {
  const layer::DspCost cost{"exp_f32", {0, 1000}};
  const auto cycles = [&](unsigned vlen, unsigned dlen) {
    return layer::cycles_of(cost, 1, dsp(vlen, dlen));
  };
  EXPECT_GT(cycles(128, 128), 2 * cycles(512, 256));
  EXPECT_GT(cycles(512, 128), cycles(512, 256));
  EXPECT_GT(cycles(512, 256), cycles(1024, 512));
  EXPECT_GT(2 * cycles(1024, 512), cycles(512, 256));  // nothing takes less than half as long
}

TEST(DspCost, ASecondSequencerForArithmeticHelpsAFunction) {
  const layer::DspCost cost{"exp_f32", {0, 1000}};
  DspConfig two = dsp(512, 256);
  two.arithmetic_sequencers = 2;
  EXPECT_LT(layer::cycles_of(cost, 1, two), layer::cycles_of(cost, 1, dsp(512, 256)));
}

TEST(DspCost, WhatHasNoLineOfTheFitTakesLongerByNarrowerVectors) {
  const layer::DspCost cost{"prelu_i8", {0, 64}};
  const uint64_t stated = layer::cycles_of(cost, 256), usual = layer::cycles_of(cost, 256, {});
  EXPECT_NEAR(double(usual), double(stated), 0.2 * double(stated));
  EXPECT_GT(layer::cycles_of(cost, 256, dsp(128, 128)), usual + usual / 4);
}

TEST(DspCost, WhatAnAuthorStatesIsSoOnEveryDsp) {
  const layer::DspCost cost{"stated", {9000, 3}};
  EXPECT_EQ(layer::cycles_of(cost, 2, dsp(128, 128)), 6000u);
}

// Half of each of 64 rows: between layers they lie in the SRAM, of the caller in memory.
TEST(CopyCost, SmallTensorsBetweenLayersAreMovedInTheSram) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,64,32] q(0.1, 3)
    %a = relu(%x) from [0] : int8[1,64,32] q(0.1, 3)
    %b = relu(%a) from [1] : int8[1,64,32] q(0.1, 3)
    %y = relu(%b) from [2] : int8[1,64,32] q(0.1, 3)
    output %y
  })");
  const auto copy = [&](ir::TensorId from, ir::TensorId to) {
    layer::DmaLayer layer;
    common::Move move;
    move.row = 16;
    move.loops = {{64, 32, 16}};
    layer.moves = {{from, move}};
    layer.output = to;
    return layer;
  };
  const ir::TensorId x = graph.inputs.front(), a = graph.ops[0].output(), b = graph.ops[1].output();
  const SocConfig config;
  const Cycle between = copy_cycles(copy(a, b), graph, config);
  EXPECT_LT(between, 64 * 16);  // a word and its way a row
  EXPECT_GT(copy_cycles(copy(x, b), graph, config), 2 * between);
  EXPECT_GT(copy_cycles(copy(a, graph.outputs.front()), graph, config), 2 * between);
  SocConfig small = config;
  small.sram.bytes = 8 << 10;  // less than four times what the copy touches
  EXPECT_GT(copy_cycles(copy(a, b), graph, small), 2 * between);
}

TEST(DspImages, ASelectTakesWhatTheMemoryAndTheWayThereTake) {
  dsp_image::Image image;
  image.bytes.resize(47104);
  SocConfig config;
  // Runs: 3,950 cycles; 184 bursts of 256 B at 12.8 B a cycle, one after another.
  EXPECT_NEAR(double(select_cycles(image, config)), 3950, 200);
  config.dram.peak_mb_per_s = 3200;
  EXPECT_NEAR(double(select_cycles(image, config)), 14960, 500);
  config = {};
  config.dram.read_latency_ps = 160000;  // 8 bursts on their way for 160 ns: 5,353
  EXPECT_NEAR(double(select_cycles(image, config)), 5353, 500);
}

TEST(DspImages, ASelectThatNothingHidesIsOneForAllLayers) {
  dsp_image::Image a, b;
  a.bytes.resize(20000);
  b.bytes.resize(8000);
  const SocConfig config;
  const Cycle select_a = select_cycles(a, config), select_b = select_cycles(b, config);
  EXPECT_EQ(own_selects({&a}, 0, config), select_a);
  EXPECT_EQ(own_selects({&a, nullptr, &a}, 2, config), 0);
  EXPECT_EQ(first_select({&a, nullptr, &a}, config), select_a);
  EXPECT_EQ(first_select({nullptr, &a}, config), 0);
  EXPECT_EQ(first_select({&a, &b}, config), 0);
  EXPECT_EQ(own_selects({nullptr, &a}, 1, config), 0);  // loaded under the layer before
  EXPECT_EQ(own_selects({nullptr, &a, &b, &a}, 2, config), select_b + select_a);
}

}  // namespace
}  // namespace presil::plan
