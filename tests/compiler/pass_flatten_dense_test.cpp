#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;

std::string dense_of(const std::string& shape, int values) {
  return R"(graph "g" tflite {
    input %x : int8[)" +
         shape + R"(] q(0.5, -3)
    const %w : int8[4,)" +
         std::to_string(values) + R"(] q(0.002, 0) = random 7
    %y = fully_connected(%x, %w) from [2] : int8[1,4] q(0.8, 4)
    output %y
  })";
}

TEST(FlattenDense, an_image_of_more_than_16_columns_becomes_one_pixel) {
  const ir::Graph g = rewritten(flatten_dense, dense_of("1,25,20,8", 4000), 1);
  EXPECT_THAT(op_lines(g), ElementsAre("x/row = reshape(x)", "y = fully_connected(x/row, w)"));
  EXPECT_THAT(g.tensor(g.ops[0].output()).shape, ElementsAre(1, 1, 1, 4000));
  EXPECT_THAT(g.ops[0].source_ops, ElementsAre(2));
}

TEST(FlattenDense, more_values_than_channels_become_a_few_pixels) {
  const ir::Graph g = rewritten(flatten_dense, dense_of("1,32,32,32", 32768), 1);
  EXPECT_THAT(g.tensor(g.ops[0].output()).shape, ElementsAre(1, 4, 1, 8192));
  rewritten(flatten_dense, dense_of("1,17,1,16273", 17 * 16273), 0);  // 17 * 16273: no divisor
}

TEST(FlattenDense, what_a_kernel_covers_and_rows_of_pixels_stay) {
  rewritten(flatten_dense, dense_of("1,16,16,2", 512), 0);
  rewritten(flatten_dense, R"(graph "g" tflite {
    input %x : int8[1,20,20,8] q(0.5, -3)
    const %w : int8[4,8] q(0.002, 0) = random 7
    %y = fully_connected(%x, %w) : int8[1,20,20,4] q(0.8, 4)
    output %y
  })",
            0);
}

}  // namespace
}  // namespace presil::passes
