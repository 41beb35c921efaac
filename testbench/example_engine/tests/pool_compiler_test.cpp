// What the engine tells the compiler: rules from both sides of a limit, the layer as text, and
// cycles that a reader can add up from pool_timing.h.
#include "pool_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/layer/text.h"
#include "pool_positions.h"
#include "pool_tiles.h"

namespace presil::pool::test {
namespace {

using testing::ElementsAre, testing::IsEmpty;

/// One operator over 16 x 16 pixels.
ir::Graph graph_of(const std::string& op, const std::string& y, int channels = 16,
                   const std::string& numerics = "tflite") {
  const std::string c = std::to_string(channels);
  return ir::parse("graph \"net\" " + numerics + " {\n  input %x : int8[1,16,16," + c +
                   "] q(0.5, -3)\n  %y = " + op + " : int8[1," + y + "," + c +
                   "] q(0.5, -3)\n  output %y\n}\n");
}

struct Compiled {
  SocConfig soc;
  EngineConfig engine{1, {{"table_entries", 32}, {"prefetch", 2}}};
  engine::Instance instance{soc, engine};
  PoolCompiler compiler;
  ir::Graph graph;
  engine::Lowered lowered;

  explicit Compiled(ir::Graph of) : graph(std::move(of)) {
    lowered = compiler.lower(graph, 0, instance);
  }
  const PoolLayer& layer() const { return *lowered.work.as<PoolLayer>(); }
  Cycle cycles(const engine::Tile& tile) const {
    return compiler.cycles(lowered.work, tile, instance);
  }
};

/// What its rules find of a graph's operator.
std::vector<std::string> found(const ir::Graph& graph) {
  SocConfig soc;
  const EngineConfig engine{1, {{"table_entries", 32}, {"prefetch", 2}}};
  const rules::Subject subject{graph, graph.ops[0], soc.dla, soc.dsp};
  std::vector<std::string> all;
  for (const rules::Entry& entry : PoolCompiler().rules({soc, engine})) {
    if (entry.kind != graph.ops[0].kind) continue;
    for (const rules::Rule& rule : entry.rules) {
      if (const auto f = rule.finding(subject)) {
        all.push_back(f->rule + " is " + f->got + ", must be " + f->limit + ": " + rule.remedy);
      }
    }
  }
  return all;
}

TEST(PoolCompiler, AWindowOf16RowsIsTakenAndOneOf17Not) {
  EXPECT_THAT(found(graph_of("max_pool2d(%x) {kernel_h=16}", "1,16")), IsEmpty());
  EXPECT_THAT(found(graph_of("max_pool2d(%x) {kernel_h=17, pad_bottom=1}", "1,16")),
              ElementsAre("kernel height is 17, must be 1..16: pool in two steps of smaller "
                          "windows and strides"));
}

TEST(PoolCompiler, AResultOf32ColumnsIsTakenAndOneOf33Not) {
  EXPECT_THAT(found(graph_of("resize_nearest(%x)", "100,32")), IsEmpty());
  EXPECT_THAT(found(graph_of("resize_nearest(%x)", "100,33")),
              ElementsAre("columns of the result is 33, must be 1..32: resize in two steps of "
                          "fewer columns"));
}

TEST(PoolCompiler, ALayerIsTextAndBack) {
  const PoolCompiler compiler;
  layer::know_work(compiler.word(),
                   [&](layer::FieldReader& reader) { return compiler.read(reader); });
  Compiled c(graph_of("max_pool2d(%x) {kernel_h=2, kernel_w=2, stride_h=2, stride_w=2, act=relu}",
                      "8,8", 20));
  layer::Layer layer;
  layer.name = "y";
  layer.op = "max_pool2d";
  layer.graph_ops = c.lowered.ops;
  layer.work = c.lowered.work;
  const std::string text = layer::print({layer});
  // 0 is stored as -3
  EXPECT_EQ(text,
            "layer {name=\"y\", op=\"max_pool2d\", graph_ops=[0]}\n"
            "  pool {input=%0, output=%1, in_h=16, in_w=16, out_h=8, out_w=8, channels=20, "
            "clamp_low=-3,\n      kernel_h=2, kernel_w=2, stride_y=2, stride_x=2}\n");
  EXPECT_EQ(layer::print(layer::parse(text)), text);
}

TEST(PoolCompiler, TheEstimateIsTheModels) {
  const Compiled c(
      graph_of("max_pool2d(%x) {kernel_h=2, kernel_w=2, stride_h=2, stride_w=2}", "8,8"));
  // 256 taps, 62 results before the last of them: 2 + 255 + 62 = 319; its result 8 later, the end 1
  EXPECT_EQ(c.cycles({0, 8, 0, 1}), 328);
  // A row: 32 taps and 6 results before the last of them: 2 + 31 + 6 = 39, then as above
  EXPECT_EQ(c.cycles({3, 4, 0, 1}), 48);
}

TEST(PoolCompiler, ATileReadsTheRowsOfItsWindows) {
  const Compiled c(
      graph_of("average_pool2d(%x) {kernel_h=3, kernel_w=1, pad_top=1, pad_bottom=1}", "16,16"));
  const auto rows = [&](int y0, int y1) {
    const engine::Part part = part_read(c.layer(), {y0, y1, 0, 1});
    return std::make_pair(part.y0, part.y1);
  };
  EXPECT_EQ(rows(0, 4), std::make_pair(0, 5));  // a row of padding, 0 .. 4
  EXPECT_EQ(rows(4, 8), std::make_pair(3, 9));  // one more at both ends
  EXPECT_EQ(rows(12, 16), std::make_pair(11, 16));
  EXPECT_EQ(command_of(c.layer(), {0, 4, 0, 1}).pad_top, 1);
  EXPECT_EQ(command_of(c.layer(), {4, 8, 0, 1}).pad_top, 0);
}

TEST(PoolCompiler, PositionsOfATileBeginWithItsFirstRow) {
  const Compiled c(graph_of("resize_nearest(%x)", "32,16"));
  // every row twice: rows 8 .. 11 are those of input rows 4 and 5
  const engine::Tile tile{8, 12, 0, 1};
  EXPECT_EQ(part_read(c.layer(), tile).y0, 4);
  EXPECT_EQ(part_read(c.layer(), tile).y1, 6);
  const std::vector<uint8_t> bytes = tables(c.layer(), tile);
  ASSERT_EQ(bytes.size(), 16u * (4 + 1));  // 16 columns, 4 rows, four entries a word
  EXPECT_EQ(std::vector<uint8_t>(bytes.begin() + 64, bytes.end()),
            (std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
}

TEST(PoolCompiler, BilinearPositionsInBothNumerics) {
  // 16 rows become 24: 2/3 of a row apart. In 1/1024: step (1024 * 16 + 12) / 24 = 683
  const Compiled fixed(graph_of("resize_bilinear(%x)", "24,16"));
  const std::vector<Position> at = positions(fixed.layer(), rows_of(fixed.layer()), 0, 24);
  EXPECT_EQ(at[1].first, 0);
  EXPECT_EQ(at[1].weight, 683);
  EXPECT_EQ(at[2].first, 1);  // 1366 = 1024 + 342
  EXPECT_EQ(at[2].weight, 342);
  EXPECT_EQ(at[23].first, 15);  // 15709 = 15 * 1024 + 349, past the last row
  EXPECT_FALSE(at[23].further);
  // In float32: 2/3 * 2048 = 1365.33
  const Compiled rounded(graph_of("resize_bilinear(%x)", "24,16", 16, "xnnpack"));
  EXPECT_EQ(position(rounded.layer(), rows_of(rounded.layer()), 1).weight, 1365);
}

}  // namespace
}  // namespace presil::pool::test
