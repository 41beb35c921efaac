#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

std::string one(const std::string& x, const std::string& op, const std::string& y) {
  return "graph \"g\" tflite { input %x : " + x + "\n%y = " + op + " from [0] : " + y +
         "\noutput %y }";
}

TEST(LowerBlocks, between_space_and_channels_it_is_a_transpose_of_two_axes) {
  const ir::Graph to = rewritten(
      lower_blocks,
      one("int8[2,4,6,3] q(0.5, 1)", "space_to_depth(%x) {block=2}", "int8[2,2,3,12] q(0.5, 1)"),
      1);
  ASSERT_EQ(to.ops.size(), 3u);
  EXPECT_EQ(to.tensor(to.ops[1].input(0)).shape, (std::vector<int64_t>{4, 2, 3, 6}));
  EXPECT_THAT(to.ops[1].as<ir::Transpose>().perm, ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(to.ops[2].source_ops, ElementsAre(0));
  const ir::Graph back = rewritten(
      lower_blocks,
      one("int8[2,2,3,18] q(0.5, 1)", "depth_to_space(%x) {block=3}", "int8[2,6,9,2] q(0.5, 1)"),
      1);
  EXPECT_EQ(back.tensor(back.ops[1].input(0)).shape, (std::vector<int64_t>{4, 3, 3, 6}));
  rewritten(lower_blocks,
            one("float32[1,4,4,1]", "space_to_depth(%x) {block=4}", "float32[1,1,1,16]"), 1);
}

TEST(LowerBlocks, between_space_and_batch_padding_stands_before_and_a_slice_after) {
  const ir::Graph to = rewritten(
      lower_blocks,
      one("int8[2,3,4,3] q(0.5, -9)", "space_to_batch(%x) {block=[2,3], before=[1,0], after=[0,2]}",
          "int8[12,2,2,3] q(0.5, -9)"),
      1);
  ASSERT_EQ(to.ops.size(), 4u);
  EXPECT_EQ(to.ops[0].kind, ir::OpKind::kPad);
  EXPECT_EQ(to.ops[0].as<ir::Pad>().value, -9);
  EXPECT_THAT(to.ops[2].as<ir::Transpose>().perm, ElementsAre(2, 4, 0, 1, 3, 5));
  const ir::Graph back =
      rewritten(lower_blocks,
                one("int8[12,2,2,3] q(0.5, -9)",
                    "batch_to_space(%x) {block=[2,3], before=[1,0], after=[0,2]}",
                    "int8[2,3,4,3] q(0.5, -9)"),
                1);
  ASSERT_EQ(back.ops.size(), 4u);
  EXPECT_THAT(back.ops[1].as<ir::Transpose>().perm, ElementsAre(2, 3, 0, 4, 1, 5));
  EXPECT_EQ(back.ops[3].kind, ir::OpKind::kStridedSlice);
}

TEST(LowerBlocks, of_one_axis_the_others_lie_together) {
  const ir::Graph to = rewritten(
      lower_blocks,
      one("int16[2,6,5] q(0.5, 0)", "space_to_batch(%x) {block=[3], before=[0], after=[0]}",
          "int16[6,2,5] q(0.5, 0)"),
      1);
  ASSERT_EQ(to.ops.size(), 3u);
  EXPECT_EQ(to.tensor(to.ops[1].input(0)).shape, (std::vector<int64_t>{2, 2, 3, 5}));
  rewritten(lower_blocks,
            one("int16[6,2,5] q(0.5, 0)", "batch_to_space(%x) {block=[3], before=[0], after=[0]}",
                "int16[2,6,5] q(0.5, 0)"),
            1);
  const std::string three = "{block=[1,1,2], before=[0,0,0], after=[0,0,0]}";
  rewritten(
      lower_blocks,
      one("int8[1,2,3,4,5] q(0.5, 0)", "space_to_batch(%x) " + three, "int8[2,2,3,2,5] q(0.5, 0)"),
      0);  // a transpose of eight axes
}

}  // namespace
}  // namespace presil::passes
