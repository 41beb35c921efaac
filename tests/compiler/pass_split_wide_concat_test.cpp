#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

/// `count` inputs of `type` joined along `axis`.
std::string joined(int count, const std::string& type, int axis, const std::string& y) {
  std::string text = "graph \"g\" tflite {\n", names;
  for (int i = 0; i < count; ++i) {
    text += "input %x" + std::to_string(i) + " : " + type + "\n";
    names += (i == 0 ? "%x" : ", %x") + std::to_string(i);
  }
  return text + "%y = concat(" + names + ") {axis=" + std::to_string(axis) + "} from [0] : " + y +
         "\noutput %y }";
}

TEST(SplitWideConcat, thirty_inputs_are_one_task_and_31_are_three) {
  rewritten(split_wide_concat, joined(30, "float32[2,3]", 1, "float32[2,90]"), 0);
  const ir::Graph g =
      rewritten(split_wide_concat, joined(31, "float32[2,3]", 1, "float32[2,93]"), 1);
  ASSERT_EQ(g.ops.size(), 3u);
  EXPECT_EQ(g.tensor(g.ops[0].output()).shape, (std::vector<int64_t>{2, 90}));
  EXPECT_EQ(g.tensor(g.ops[1].output()).shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(g.ops[2].inputs.size(), 2u);
}

TEST(SplitWideConcat, parts_of_very_many_are_parted_again) {
  const ir::Graph g = rewritten(split_wide_concat, joined(901, "float32[1]", 0, "float32[901]"), 2);
  EXPECT_EQ(g.ops.size(), 31u + 2u + 1u);
  for (const ir::Op& op : g.ops) EXPECT_LE(op.inputs.size(), 30u);
}

TEST(SplitWideConcat, unlike_scales_are_requantised_once) {
  std::string text = joined(40, "int8[2,2,1] q(0.5, 1)", 1, "int8[2,80,1] q(0.25, 3)");
  const ir::Graph g = rewritten(split_wide_concat, text, 1);
  EXPECT_EQ(ir::type_of(g.tensor(g.ops[0].output())), "int8[2,60,1] q(0.25, 3)");
  text = joined(40, "int8[2,1] q(0.5, 1)", 1, "int8[2,40] q(0.5, 1)");
  rewritten(split_wide_concat, text, 0);  // by channels: engines place them side by side
}

}  // namespace
}  // namespace presil::passes
