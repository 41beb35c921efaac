#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

std::string turned(const std::string& x, const std::string& perm, const std::string& y) {
  return "graph \"g\" xnnpack {\ninput %x : " + x + "\n%y = transpose(%x) {perm=" + perm +
         "} from [0] : " + y + "\noutput %y }";
}

TEST(SplitTransposes, bands_of_rows_of_a_large_image) {
  const ir::Graph g =
      rewritten(split_transposes, turned("int8[1,3,400,400]", "[0,2,3,1]", "int8[1,400,400,3]"), 1);
  ASSERT_EQ(g.ops.size(), 5u);  // 480,000 bytes are two bands of at most 245,760
  EXPECT_EQ(g.ops[0].as<ir::StridedSlice>().size, (std::vector<int64_t>{1, 3, 200, 400}));
  EXPECT_EQ(g.tensor(g.ops[1].output()).shape, (std::vector<int64_t>{1, 200, 400, 3}));
  EXPECT_EQ(g.ops[4].as<ir::Concat>().axis, 1);
}

TEST(SplitTransposes, to_channels_first_the_last_band_is_what_is_left) {
  const ir::Graph g = rewritten(
      split_transposes, turned("float32[1,241,70,4]", "[0,3,1,2]", "float32[1,4,241,70]"), 1);
  ASSERT_EQ(g.ops.size(), 5u);
  EXPECT_EQ(g.ops[2].as<ir::StridedSlice>().begin, (std::vector<int64_t>{0, 121, 0, 0}));
  EXPECT_EQ(g.tensor(g.ops[3].output()).shape, (std::vector<int64_t>{1, 4, 120, 70}));
  EXPECT_EQ(g.ops[4].as<ir::Concat>().axis, 2);
}

TEST(SplitTransposes, small_ones_others_and_single_rows_stay) {
  for (const auto& text :
       {turned("int8[1,3,224,224]", "[0,2,3,1]", "int8[1,224,224,3]"),
        turned("int8[1,64,100,100]", "[0,2,3,1]", "int8[1,100,100,64]"),  // the DLA's
        turned("int8[1,300,1,20000]", "[0,2,3,1]", "int8[1,1,20000,300]"),
        turned("int8[1,300,40,40]", "[0,1,3,2]", "int8[1,300,40,40]")}) {
    rewritten(split_transposes, text, 0);
  }
}

TEST(SplitTransposes, bands_stay_bands) {
  ir::Graph g =
      rewritten(split_transposes, turned("int8[1,3,400,400]", "[0,2,3,1]", "int8[1,400,400,3]"), 1);
  EXPECT_EQ(sink_transposes(g), 0);
}

}  // namespace
}  // namespace presil::passes
