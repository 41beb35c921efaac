// Layers as text: golden for each engine's word, read back to the same text and to the same
// loadable, and refused where nothing such was written.
#include <gmock/gmock.h>

#include "compiler_bridge/emit/loadable.h"
#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/layer/text.h"
#include "compiler_bridge/partition/partition.h"
#include "compiler_bridge/passes/pass.h"
#include "compiler_bridge/plan/arrange.h"
#include "compiler_bridge/plan/search.h"
#include "models/base/refusal.h"
#include "tests/compiler/partition_random_network.h"

namespace presil::layer {
namespace {

using testing::HasSubstr;

struct Lowered {
  ir::Graph imported, graph;
  partition::Partition partition;
};

Lowered lowered(ir::Graph imported, const SocConfig& soc) {
  ir::verify(imported);
  Lowered l{imported, passes::prepare(std::move(imported)), {}};
  l.partition = partition::partition(l.graph, soc, l.imported);
  return l;
}

std::vector<uint8_t> loadable_of(const Lowered& l, const Layers& layers, const SocConfig& soc) {
  plan::Search search;
  plan::Arranged arranged =
      plan::arrange(l.graph, layers, soc, plan::lay_out(l.graph, layers, soc), search);
  if (!arranged.misfits.empty()) return {};
  plan::Schedule schedule = plan::make_schedule(l.graph, arranged.layout, arranged.plan, soc);
  const partition::Partition partition{layers, l.partition.placements};
  return emit::write_loadable(
      {l.imported, l.graph, partition, arranged.layout, arranged.plan, schedule, {}, soc});
}

/// @return whether there was a loadable to compare
bool expect_read_back(const Lowered& l, const SocConfig& soc) {
  const std::string text = print(l.partition.layers);
  const Layers again = parse(text);
  EXPECT_EQ(print(again), text);
  const std::vector<uint8_t> loadable = loadable_of(l, l.partition.layers, soc);
  EXPECT_EQ(loadable_of(l, again, soc), loadable);
  return !loadable.empty();
}

// Every engine, and what no engine does.
const char* const kNetwork = R"(graph "g" tflite {
    input %x : int8[1,4,4,8] q(0.5, -3)
    const %w : int8[16,1,1,8] q(0.02, 0) = random 7
    %a = conv2d(%x, %w) : int8[1,4,4,16] q(0.5, -3)
    %r = reshape(%a) : int8[1,16,16] q(0.5, -3)
    %s = softmax(%r) : int8[1,16,16] q(0.00390625, -128)
    %t = transpose(%x) {perm=[0,3,1,2]} : int8[1,8,4,4] q(0.5, -3)
    output %s, %t
  })";

TEST(LayerText, each_engine_has_its_word) {
  SocConfig soc;
  const std::string text = print(lowered(ir::parse(kNetwork), soc).partition.layers);
  EXPECT_THAT(text, HasSubstr("layer {name=\"a\", op=\"conv2d\", graph_ops=[0], macs=2048}"));
  EXPECT_THAT(text, HasSubstr("  dla {input=%0, output=%"));
  EXPECT_THAT(text, HasSubstr("  in_place {inputs=[%"));
  EXPECT_THAT(text, HasSubstr("  dsp {kernel=\"softmax_i8\","));
  EXPECT_THAT(text, HasSubstr("cost={function=\"softmax_i8\", arguments=[16]}"));
  soc.dsp.units = 0;
  const std::string without = print(lowered(ir::parse(kNetwork), soc).partition.layers);
  EXPECT_THAT(without, HasSubstr("  host {kernel="));
}

TEST(LayerText, a_convolution_reads_as_its_command_will) {
  const Layers layers = parse(R"(
layer {name="c", op="conv2d+add", source_ops=[3, 4], graph_ops=[0], macs=12}
  dla {op=conv, input=%0, output=%2, in_h=2, kernel_h=3, upsample2=true, weights="01ff80",  # three
       bias=[-5, 7], rule=float, ew={op=add, operand=%1, a_mult=9}})");
  EXPECT_EQ(print(layers),
            "layer {name=\"c\", op=\"conv2d+add\", source_ops=[3, 4], graph_ops=[0], macs=12}\n"
            "  dla {input=%0, output=%2, in_h=2, kernel_h=3, upsample2=true, weights=\"01ff80\", "
            "bias=[-5, 7],\n"
            "      rule=float, ew={op=add, operand=%1, a_mult=9}}\n");
  const Operands operands = layers.front().work.operands();
  EXPECT_EQ(read(operands), (std::vector<TensorId>{0, 1}));
  EXPECT_EQ(written(operands), (std::vector<TensorId>{2}));
  EXPECT_EQ(layers.front().work.weight_bytes(), 3u);
}

TEST(LayerText, a_layer_names_its_kernel_where_its_engine_has_kernels) {
  const Lowered l = lowered(ir::parse(kNetwork), SocConfig{});
  for (const Layer& layer : l.partition.layers) {
    const KernelName name = layer.work.kernel_name();
    EXPECT_EQ(name.kernel, layer.name == "s" ? "softmax_i8" : "") << layer.name;
    EXPECT_EQ(name.image, "");
  }
}

TEST(LayerText, for_people_many_values_are_a_digest_which_does_not_parse) {
  const Lowered l = lowered(ir::parse(kNetwork), SocConfig{});
  const std::string text = print(l.partition.layers, {false});
  EXPECT_THAT(text, HasSubstr("weights=<128 values, "));
  EXPECT_THROW(parse(text), Refusal);
}

TEST(LayerText, what_is_read_back_makes_the_same_loadable) {
  int compared = 0;
  for (const bool dsp : {true, false}) {
    SocConfig soc;
    soc.dsp.units = dsp ? 1 : 0;
    compared += expect_read_back(lowered(ir::parse(kNetwork), soc), soc) ? 1 : 0;
    for (uint32_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const Lowered l = lowered(partition::RandomNetwork(seed).make(), soc);
      compared += expect_read_back(l, soc) ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 100);
}

std::string refusal_of(const std::string& text) {
  try {
    parse(text);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(LayerText, what_nothing_wrote_is_refused_with_its_place) {
  const std::string head = "layer {name=\"c\"}\n";
  EXPECT_THAT(refusal_of(head + "  npu {}"), HasSubstr("text line 2, column 3: got \"npu\""));
  EXPECT_THAT(refusal_of(head + "  npu {}"),
              HasSubstr("the word of a layer's engine: dla, dma, dsp, host, in_place"));
  EXPECT_THAT(refusal_of(head + "  host {kernels=3}"),
              HasSubstr("a field of this layer instead of \"kernels\""));
  EXPECT_THAT(refusal_of(head + "  host {inputs=[3]}"), HasSubstr("a tensor by its number"));
  EXPECT_THAT(refusal_of(head + "  host {attributes=\"0g\"}"), HasSubstr("bytes as hexa"));
  EXPECT_THAT(refusal_of(head + "  dla {op=convolution}"),
              HasSubstr("a code of the command's field op"));
  EXPECT_THAT(refusal_of(head + "  dsp {image=\"mine.elf:00000000\"}"),
              HasSubstr("the name and checksum of an image"));
  EXPECT_THAT(refusal_of(head + "  in_place {relation=beside}"), HasSubstr("one of the words"));
}

}  // namespace
}  // namespace presil::layer
