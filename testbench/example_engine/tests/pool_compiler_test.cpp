// What the engine tells the compiler: rules from both sides of a limit, the layer as text, and
// cycles that a reader can add up from pool_timing.h.
#include "pool_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/layer/text.h"

namespace presil::pool::test {
namespace {

using testing::ElementsAre;

/// One pool over 16 x 16 pixels.
ir::Graph graph_of(const std::string& op, const std::string& y, int channels = 16) {
  const std::string c = std::to_string(channels);
  return ir::parse("graph \"net\" tflite {\n  input %x : int8[1,16,16," + c +
                   "] q(0.5, -3)\n  %y = " + op + " : int8[1," + y + "," + c +
                   "] q(0.5, -3)\n  output %y\n}\n");
}

struct Compiled {
  SocConfig soc;
  engine::Instance instance{soc, nullptr};
  PoolCompiler compiler;
  ir::Graph graph;
  std::optional<engine::Lowered> lowered;

  explicit Compiled(ir::Graph of) : graph(std::move(of)) {
    lowered = compiler.lower(graph, 0, instance);
  }
  const PoolLayer& layer() const { return *lowered.value().work.as<PoolLayer>(); }
  std::vector<engine::Cut> cuts() const {
    return compiler.cuts(graph, lowered.value().work, instance);
  }
  Cycle cycles(const engine::Cut& cut) const {
    return compiler.cycles(graph, lowered.value().work, cut, instance);
  }
};

TEST(PoolCompiler, AWindowOf16RowsIsTakenAndOneOf17Not) {
  EXPECT_TRUE(Compiled(graph_of("max_pool2d(%x) {kernel_h=16}", "1,16")).lowered);
  const ir::Graph graph = graph_of("max_pool2d(%x) {kernel_h=17, pad_bottom=1}", "1,16");
  const Compiled none(graph);
  EXPECT_FALSE(none.lowered);
  const rules::Subject subject{graph, graph.ops[0], none.soc.dla, none.soc.dsp};
  std::vector<std::string> found;
  const std::vector<rules::Entry> entries = none.compiler.rules(none.instance);
  for (const rules::Rule& rule : entries.at(0).rules) {
    if (const auto f = rule.finding(subject)) {
      found.push_back(f->rule + " is " + f->got + ", must be " + f->limit + ": " + rule.remedy);
    }
  }
  EXPECT_THAT(found, ElementsAre("kernel height is 17, must be 1..16: pool in two steps of smaller "
                                 "windows and strides"));
}

TEST(PoolCompiler, WhatItDoesNotComputeIsLeftToOthers) {
  EXPECT_FALSE(Compiled(graph_of("relu(%x)", "16,16")).lowered);
}

TEST(PoolCompiler, ALayerIsTextAndBack) {
  know_pool_layers();
  Compiled c(graph_of("max_pool2d(%x) {kernel_h=2, kernel_w=2, stride_h=2, stride_w=2, act=relu}",
                      "8,8", 20));
  layer::Layer layer;
  layer.name = "y";
  layer.op = "max_pool2d";
  layer.graph_ops = c.lowered.value().ops;
  layer.work = c.lowered.value().work;
  const std::string text = layer::print({layer});
  // 0 is stored as -3
  EXPECT_EQ(text,
            "layer {name=\"y\", op=\"max_pool2d\", graph_ops=[0]}\n"
            "  pool {input=%0, output=%1, in_h=16, in_w=16, out_h=8, out_w=8, channels=20, "
            "kernel_h=2,\n      kernel_w=2, stride_y=2, stride_x=2, clamp_low=-3}\n");
  EXPECT_EQ(layer::print(layer::parse(text)), text);
}

TEST(PoolCompiler, TheEstimateIsTheModels) {
  const Compiled c(
      graph_of("max_pool2d(%x) {kernel_h=2, kernel_w=2, stride_h=2, stride_w=2}", "8,8"));
  const std::vector<engine::Cut> cuts = c.cuts();
  ASSERT_EQ(cuts.size(), 4u);  // 8, 4, 2, 1 rows of one block
  // 256 taps, 62 results before the last of them: 2 + 255 + 62 = 319; its result 8 later, the end 1
  EXPECT_EQ(c.cycles(cuts[0]), 328);
  EXPECT_EQ(cuts[0].sram_bytes, 16u * (16 * 16 + 8 * 8));
  // A row: 32 taps and 6 results before the last of them: 2 + 31 + 6 = 39, then as above
  EXPECT_EQ(cuts[3].rows, 1);
  EXPECT_EQ(c.cycles(cuts[3]), 48);
  EXPECT_EQ(cuts[3].sram_bytes, 16u * (2 * 16 + 8));
}

TEST(PoolCompiler, CutsGoDownToARowOfABlock) {
  const Compiled c(
      graph_of("average_pool2d(%x) {kernel_h=2, kernel_w=2, stride_h=2, stride_w=2}", "8,8", 40));
  const std::vector<engine::Cut> cuts = c.cuts();
  ASSERT_EQ(cuts.size(), 8u);
  EXPECT_EQ(cuts.front().blocks, 3);
  EXPECT_EQ(cuts.back().blocks, 1);
  EXPECT_EQ(cuts.back().rows, 1);
}

}  // namespace
}  // namespace presil::pool::test
