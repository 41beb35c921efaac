// What each stage hands on, as text: golden, of a network small enough to check by hand.
#include "compiler_bridge/compile/stages.h"

#include <gmock/gmock.h>

#include <functional>

#include "compiler_bridge/ir/text.h"
#include "models/base/refusal.h"

namespace presil::compile {
namespace {

using testing::HasSubstr;

/// A padded convolution of 8 x 8 pixels and 16 channels, and a softmax of ten values.
ir::Graph network() {
  return ir::parse(R"(graph "g" tflite {
    input %x "x" : int8[1,6,6,16] q(0.5, 0)
    input %s "s" : int8[1,10] q(0.5, 0)
    const %w "w" : int8[16,3,3,16] q(0.5, 0) = splat 1
    const %b "b" : int32[16] q(0.25, 0) = splat 0
    %p "pad" = pad(%x) {before=[0,1,1,0], after=[0,1,1,0]} from [0] : int8[1,8,8,16] q(0.5, 0)
    %c "conv" = conv2d(%p, %w, %b) from [1] : int8[1,6,6,16] q(1, 0)
    %y "soft" = softmax(%s) from [2] : int8[1,10] q(0.00390625, -128)
    output %c, %y
  })");
}

std::string text(const std::string& stage) {
  SocConfig config;
  config.dsp.units = 0;  // the softmax is the host's, whatever it costs
  return stage_text(stage, network(), config);
}

std::string refusal(const std::function<void()>& of) {
  try {
    of();
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(Stages, graphs_are_read_again_as_they_were) {
  EXPECT_EQ(text("import"), ir::print(network()));
  EXPECT_EQ(ir::print(ir::parse(text("import"))), text("import"));
  EXPECT_EQ(ir::print(ir::parse(text("passes"))), text("passes"));
  EXPECT_THAT(text("import"), HasSubstr("= pad("));
  EXPECT_THAT(text("passes"), testing::Not(HasSubstr("= pad(")));
}

TEST(Stages, a_pass_is_shown_where_it_changes_the_graph) {
  const std::string after = print_after("fold_pad", network());
  EXPECT_THAT(after, testing::StartsWith("# fold_pad, run 1\ngraph \"g\""));
  EXPECT_THAT(after, HasSubstr("pad_top=1"));
  EXPECT_EQ(ir::print(ir::parse(after)), after.substr(after.find('\n') + 1));
  EXPECT_EQ(print_after("fold_transpose", network()), "# fold_transpose changes nothing\n");
}

TEST(Stages, what_does_not_exist_is_refused_with_what_does) {
  EXPECT_THAT(refusal([] { text("tilings"); }),
              HasSubstr("inspect: stage is 'tilings', must be one of import, passes, "));
  EXPECT_THAT(refusal([] { print_after("fold", network()); }),
              HasSubstr("inspect: pass is 'fold', must be one of remove_identity, "));
}

// 9 taps x 16 x 16 channels and 9 bytes of parameters a channel: 2304 + 144 = 2448 B of weights;
// 6 x 6 pixels of 16 channels: 576 B.

TEST(Stages, placement_is_a_line_for_each_operator_and_for_each_verdict) {
  EXPECT_EQ(text("placement"), R"(pad "pad": dla, layer 0, folded into conv2d "conv"
conv2d "conv": dla, layer 0, within_limits
softmax "soft": host, layer 1, refused
  dla unknown: does not compute softmax
)");
}

TEST(Stages, layout_is_steps_buffers_and_loads) {
  EXPECT_EQ(text("layout"), R"(step 0 conv2d "conv"
step 1 softmax "soft"
blocked buffer 0: c16 6x6x16, 576 B, steps 0..0, loaded: %0 "x" at block 0
blocked buffer 1: c16 6x6x16, 576 B, steps 0..0: %5 "conv" at block 0
linear buffer 0: inputs, 576 B, steps 0..0: %0 "x" at 0
linear buffer 1: inputs, 10 B, steps 1..1: %1 "s" at 0
linear buffer 2: outputs, 576 B, steps 0..0: %5 "conv" at 0
linear buffer 3: outputs, 10 B, steps 1..1: %6 "soft" at 0
load blocked buffer 0 from %0 "x", ready at 0, first used at 0
)");
}

TEST(Stages, tiles_are_how_layers_are_cut_and_what_stays) {
  EXPECT_THAT(text("tiles"),
              testing::StartsWith(R"(step 0 "conv": tiles of 6 rows, 6 columns, 1 blocks, blocks )"
                                  R"(outer, depth 2, weights 1 x 2448 B
step 1 "soft": whole
blocked buffer 0: SRAM at 2448
blocked buffer 1: SRAM at 3024
SRAM peak 3600 B, weights loaded 2 steps ahead, about )"));
}

TEST(Stages, plans_that_were_looked_at_have_a_line_each) {
  EXPECT_THAT(text("play"),
              testing::MatchesRegex("plan 0: weights 2 steps ahead, 3600 B of SRAM, about [0-9]+ "
                                    "cycles, played [0-9]+, taken\n"));
}

TEST(Stages, a_schedule_is_commands_with_the_bytes_that_they_touch) {
  EXPECT_EQ(text("schedule"), R"(dma1 0: "conv" tile 0; reads inputs 0..576; writes sram 2448..3024
dma0 0: "conv" tile 0; reads constants 0..2448; writes sram 0..2448
dla 0: "conv" tile 0; reads sram 2448..3024, sram 0..2448; writes sram 3024..3600
dma2 0: "conv" tile 0; reads sram 3024..3600; writes outputs 0..576
host 0: "soft" tile 0; reads inputs 768..778; writes outputs 768..778
)");
}

}  // namespace
}  // namespace presil::compile
