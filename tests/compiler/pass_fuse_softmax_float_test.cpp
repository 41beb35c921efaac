// Six operators of float32 become one of the same values; what only looks alike stays.
#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

const std::string kWritten = R"(graph "g" tflite {
  input %x : float32[3,37]
  const %one : float32[1,1] = [1]
  %m = reduce_max(%x) {axes=[1], keep_dims=true} from [0] : float32[3,1]
  %d = sub(%x, %m) from [1] : float32[3,37]
  %e = exp(%d) from [2] : float32[3,37]
  %s = sum(%e) {axes=[1], keep_dims=true} from [3] : float32[3,1]
  %r = div(%one, %s) from [4] : float32[3,1]
  %y = mul(%e, %r) from [5] : float32[3,37]
  output %y
})";

TEST(FuseSoftmaxFloat, six_operators_become_one) {
  const ir::Graph after = rewritten(fuse_softmax_float, kWritten, 1);
  EXPECT_THAT(op_lines(after), ElementsAre("y = softmax(x)"));
  EXPECT_EQ(after.ops[0].as<ir::Softmax>().beta, 1.0f);
  EXPECT_THAT(after.ops[0].source_ops, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(FuseSoftmaxFloat, factors_stand_in_any_order) {
  rewritten(fuse_softmax_float, replaced(kWritten, "mul(%e, %r)", "mul(%r, %e)"), 1);
}

TEST(FuseSoftmaxFloat, what_only_looks_alike_stays) {
  const std::pair<const char*, const char*> others[] = {
      {"mul(%e, %r)", "div(%e, %s)"},           // rounded once
      {"= [1]", "= [2]"},                       // another share
      {"sub(%x, %m)", "sub(%m, %x)"},           // the other way round
      {"reduce_max", "reduce_min"},             // other values
      {"output %y", "output %y\n  output %s"},  // the sum is read as well
      {"div(%one, %s)", "div(%s, %one)"},       // no share
      {"exp(%d) from", "abs(%d) from"},         // no exponential
      {"(%e, %r) from", "(%e, %r) {act=relu6} from"},
  };
  for (const auto& [from, to] : others) {
    SCOPED_TRACE(to);
    rewritten(fuse_softmax_float, replaced(kWritten, from, to), 0);
  }
  std::string columns = kWritten;
  for (int i = 0; i < 2; ++i) columns = replaced(columns, "axes=[1]", "axes=[0]");
  while (columns.find("[3,1]") != std::string::npos) columns = replaced(columns, "[3,1]", "[1,37]");
  rewritten(fuse_softmax_float, columns, 0);
}

}  // namespace
}  // namespace presil::passes
