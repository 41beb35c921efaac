// Ten operators become one of the same values; what only looks alike stays.
#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

const std::string kWritten = R"(graph "g" tflite {
  input %x : float32[2,5,12]
  const %gamma : float32[12] = random 1
  const %beta : float32[12] = random 2
  const %epsilon : float32[] = [0.001]
  %m = mean(%x) {axes=[2], keep_dims=true} from [0] : float32[2,5,1]
  %d = squared_difference(%x, %m) from [1] : float32[2,5,12]
  %v = mean(%d) {axes=[2], keep_dims=true} from [2] : float32[2,5,1]
  %e = add(%v, %epsilon) from [3] : float32[2,5,1]
  %r = rsqrt(%e) from [4] : float32[2,5,1]
  %g = mul(%r, %gamma) from [5] : float32[2,5,12]
  %a = mul(%x, %g) from [6] : float32[2,5,12]
  %b = mul(%m, %g) from [7] : float32[2,5,12]
  %c = sub(%beta, %b) from [8] : float32[2,5,12]
  %y = add(%a, %c) from [9] : float32[2,5,12]
  output %y
})";

TEST(FuseLayerNorm, ten_operators_become_one_that_means_the_same) {
  const ir::Graph after = rewritten(fuse_layer_norm, kWritten, 1);
  EXPECT_THAT(op_lines(after), ElementsAre("y = layer_norm(x, gamma, beta)"));
  EXPECT_EQ(after.ops[0].as<ir::LayerNorm>().epsilon, 0.001f);
  EXPECT_THAT(after.ops[0].source_ops, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(FuseLayerNorm, operands_stand_in_any_order) {
  std::string text = replaced(kWritten, "mul(%r, %gamma)", "mul(%gamma, %r)");
  text = replaced(text, "mul(%x, %g)", "mul(%g, %x)");
  text = replaced(text, "mul(%m, %g)", "mul(%g, %m)");
  text = replaced(text, "add(%a, %c)", "add(%c, %a)");
  text = replaced(text, "add(%v, %epsilon)", "add(%epsilon, %v)");
  text = replaced(text, "(%x, %m)", "(%m, %x)");
  rewritten(fuse_layer_norm, text, 1);
}

TEST(FuseLayerNorm, a_row_with_axes_of_1_in_front_becomes_one_without) {
  const ir::Graph after = rewritten(
      fuse_layer_norm, replaced(kWritten, "%gamma : float32[12]", "%gamma : float32[1,1,12]"), 1);
  EXPECT_THAT(op_lines(after), ElementsAre("y = layer_norm(x, gamma/row, beta)"));
}

TEST(FuseLayerNorm, what_only_looks_alike_stays) {
  const std::pair<const char*, const char*> others[] = {
      {"sub(%beta, %b)", "sub(%b, %beta)"},     // the other way round
      {"output %y", "output %y\n  output %v"},  // another operator reads the variance
      {"add(%v, %epsilon)", "add(%v, %v)"},     // no constant
      {"add(%a, %c) from", "add(%a, %c) {act=relu} from"},
      {"squared_difference(%x, %m)", "squared_difference(%x, %x)"},
      {"mul(%m, %g)", "mul(%r, %g)"},  // not the mean
      {"const %gamma : float32[12] = random 1", "input %gamma : float32[12]"},
  };
  for (const auto& [from, to] : others) {
    SCOPED_TRACE(to);
    rewritten(fuse_layer_norm, replaced(kWritten, from, to), 0);
  }
  const std::string columns = R"(graph "g" tflite {
  input %x : float32[12,12]
  const %gamma : float32[12] = random 1
  const %epsilon : float32[] = [0.001]
  %m = mean(%x) {axes=[0], keep_dims=true} from [0] : float32[1,12]
  %d = squared_difference(%x, %m) from [1] : float32[12,12]
  %v = mean(%d) {axes=[0], keep_dims=true} from [2] : float32[1,12]
  %e = add(%v, %epsilon) from [3] : float32[1,12]
  %r = rsqrt(%e) from [4] : float32[1,12]
  %g = mul(%r, %gamma) from [5] : float32[1,12]
  %a = mul(%x, %g) from [6] : float32[12,12]
  %b = mul(%m, %g) from [7] : float32[1,12]
  %c = sub(%gamma, %b) from [8] : float32[1,12]
  %y = add(%a, %c) from [9] : float32[12,12]
  output %y
})";
  rewritten(fuse_layer_norm, columns, 0);
}

}  // namespace
}  // namespace presil::passes
