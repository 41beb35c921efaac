// What each stage hands on, as text: golden, of a network small enough to check by hand.
#include "compiler_bridge/compile/stages.h"

#include <gmock/gmock.h>

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
  return stage_text(stage, network(), SocConfig{});
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

// GOLDEN

}  // namespace
}  // namespace presil::compile
