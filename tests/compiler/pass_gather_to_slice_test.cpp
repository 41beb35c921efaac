#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

std::string gathered(const std::string& indices, const std::string& y,
                     const std::string& attributes = "axis=1") {
  return "graph \"g\" tflite { input %x : int8[2,7,3] q(0.5, 1)\n" + indices +
         "\n%y = gather(%x, %i) {" + attributes + "} from [0] : int8" + y +
         " q(0.5, 1)\noutput %y }";
}

TEST(GatherToSlice, equal_steps_are_a_slice_forwards_or_backwards) {
  const ir::Graph by_two =
      rewritten(gather_to_slice, gathered("const %i : int32[3] = [1, 3, 5]", "[2,3,3]"), 1);
  EXPECT_THAT(by_two.ops[0].as<ir::StridedSlice>().begin, ElementsAre(0, 1, 0));
  EXPECT_THAT(by_two.ops[0].as<ir::StridedSlice>().step, ElementsAre(1, 2, 1));
  EXPECT_THAT(by_two.ops[0].source_ops, ElementsAre(0));
  rewritten(gather_to_slice, gathered("const %i : int64[4] = [6, 4, 2, 0]", "[2,4,3]"), 1);
}

TEST(GatherToSlice, one_index_leaves_its_axis_out_where_it_is_a_number) {
  rewritten(gather_to_slice, gathered("const %i : int32[] = [4]", "[2,3]"), 1);
  rewritten(gather_to_slice, gathered("const %i : int32[1] = [4]", "[2,1,3]"), 1);
}

TEST(GatherToSlice, others_stay) {
  rewritten(gather_to_slice, gathered("const %i : int32[3] = [1, 3, 4]", "[2,3,3]"), 0);
  rewritten(gather_to_slice, gathered("const %i : int32[2] = [3, 3]", "[2,2,3]"), 0);
  rewritten(gather_to_slice, gathered("const %i : int32[2,2] = [0, 1, 2, 3]", "[2,2,2,3]"), 0);
  rewritten(gather_to_slice,
            gathered("const %i : int32[2] = [3, 4]", "[2,3]", "axis=1, batch_dims=1"), 0);
  rewritten(gather_to_slice, gathered("input %i : int32[2]", "[2,2,3]"), 0);
}

}  // namespace
}  // namespace presil::passes
