#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A window over images, and what is read at once of it.
constexpr char kPooled[] = R"(graph "g" tflite {
  input %x : int8[2,4,4,3] q(0.5, 1)
  const %w : int8[5,3,3,3] q(0.25, 0) = random 1
  %c = conv2d(%x, %w) from [3] : int8[2,2,2,5] q(1, 0)
  %y = max_pool2d(%c) {kernel_h=2, kernel_w=2} from [4] : int8[2,1,1,5] q(1, 0)
  output %y
})";

TEST(SplitImages, each_image_goes_through_all_layers_before_the_next) {
  const ir::Graph g = rewritten(split_images, kPooled, 1);
  EXPECT_THAT(op_lines(g),
              ElementsAre("x/image0 = strided_slice(x)", "c/image0 = conv2d(x/image0, w)",
                          "y/image0 = max_pool2d(c/image0)", "x/image1 = strided_slice(x)",
                          "c/image1 = conv2d(x/image1, w)", "y/image1 = max_pool2d(c/image1)",
                          "y = concat(y/image0, y/image1)"));
  EXPECT_THAT(g.tensor(g.ops[1].output()).shape, ElementsAre(1, 2, 2, 5));
  EXPECT_THAT(g.ops[1].source_ops, ElementsAre(3));
  EXPECT_THAT(g.ops[6].source_ops, ElementsAre(4));
}

TEST(SplitImages, what_an_image_is_of_the_imported_tensor_is_recorded) {
  const ir::Graph g = rewritten(split_images, kPooled, 1);
  const ir::Part part = g.parts.at(g.ops[4].output());  // c of image 1
  EXPECT_EQ(g.tensor(part.of).name, "c");
  EXPECT_EQ(part.first, 20);  // 2 x 2 x 5 values of image 0
}

TEST(SplitImages, rows_after_the_last_window_stay_rows) {
  const ir::Graph g = rewritten(split_images, R"(graph "g" tflite {
    input %x : int8[2,4,4,3] q(0.5, 1)
    const %w : int8[7,3] q(0.25, 0) = random 1
    %m = mean(%x) {axes=[1, 2]} from [0] : int8[2,3] q(0.5, 1)
    %d = fully_connected(%m, %w) from [1] : int8[2,7] q(1, 0)
    %y = softmax(%d) from [2] : int8[2,7] q(0.00390625, -128)
    output %y
  })",
                                1);
  EXPECT_THAT(op_lines(g), ElementsAre("x/image0 = strided_slice(x)", "m/image0 = mean(x/image0)",
                                       "x/image1 = strided_slice(x)", "m/image1 = mean(x/image1)",
                                       "m = concat(m/image0, m/image1)",
                                       "d = fully_connected(m, w)", "y = softmax(d)"));
}

TEST(SplitImages, rows_between_windows_are_of_an_image_too) {
  const ir::Graph g = rewritten(split_images, R"(graph "g" tflite {
    input %x : int8[2,4,4,3] q(0.5, 1)
    const %w : int8[3,3] q(0.25, 0) = random 1
    %m = mean(%x) {axes=[1, 2]} from [0] : int8[2,3] q(0.5, 1)
    %d = fully_connected(%m, %w) from [1] : int8[2,3] q(1, 0)
    %r = reshape(%d) from [2] : int8[2,1,1,3] q(1, 0)
    %y = mul(%x, %r) from [3] : int8[2,4,4,3] q(1, 0)
    output %y
  })",
                                1);
  EXPECT_THAT(op_lines(g),
              ElementsAre("x/image0 = strided_slice(x)", "m/image0 = mean(x/image0)",
                          "d/image0 = fully_connected(m/image0, w)", "r/image0 = reshape(d/image0)",
                          "y/image0 = mul(x/image0, r/image0)", "x/image1 = strided_slice(x)",
                          "m/image1 = mean(x/image1)", "d/image1 = fully_connected(m/image1, w)",
                          "r/image1 = reshape(d/image1)", "y/image1 = mul(x/image1, r/image1)",
                          "y = concat(y/image0, y/image1)"));
}

// The transpose mixes the images, and what it makes is read by an image again.
TEST(SplitImages, what_lies_between_images_is_computed_between_them) {
  const ir::Graph g = rewritten(split_images, R"(graph "g" tflite {
    input %x : int8[2,2,4,3] q(0.5, 1)
    %p = max_pool2d(%x) from [0] : int8[2,2,4,3] q(0.5, 1)
    %t = transpose(%p) {perm=[1, 0, 2, 3]} from [1] : int8[2,2,4,3] q(0.5, 1)
    %s = add(%p, %t) from [2] : int8[2,2,4,3] q(1, 0)
    output %s
  })",
                                1);
  EXPECT_THAT(op_lines(g),
              ElementsAre("x/image0 = strided_slice(x)", "p/image0 = max_pool2d(x/image0)",
                          "x/image1 = strided_slice(x)", "p/image1 = max_pool2d(x/image1)",
                          "p = concat(p/image0, p/image1)", "t = transpose(p)",
                          "t/image0 = strided_slice(t)", "s/image0 = add(p/image0, t/image0)",
                          "t/image1 = strided_slice(t)", "s/image1 = add(p/image1, t/image1)",
                          "s = concat(s/image0, s/image1)"));
}

TEST(SplitImages, constants_of_the_batch_are_cut_and_others_shared) {
  const ir::Graph g = rewritten(split_images, R"(graph "g" tflite {
    input %x : int8[2,1,1,2] q(0.5, 1)
    const %a : int8[2,1,1,2] q(0.5, 1) = [1, 2, 3, 4]
    const %b : int8[1,1,1,2] q(0.5, 1) = [5, 6]
    %p = max_pool2d(%x) from [0] : int8[2,1,1,2] q(0.5, 1)
    %s = add(%p, %a) from [1] : int8[2,1,1,2] q(1, 0)
    %y = add(%s, %b) from [2] : int8[2,1,1,2] q(1, 0)
    output %y
  })",
                                1);
  const ir::Tensor& second = g.tensor(g.ops[6].input(1));
  EXPECT_THAT(*second.data, ElementsAre(3, 4));
  EXPECT_EQ(g.ops[3].input(1), g.ops[7].input(1));
}

TEST(SplitImages, without_a_window_or_with_one_image_the_graph_stays) {
  rewritten(split_images, R"(graph "g" tflite {
    input %x : int8[2,4,4,3] q(0.5, 1)
    input %z : int8[1,4,4,3] q(0.5, 1)
    const %w : int8[5,1,1,3] q(0.25, 0) = random 1
    %c = conv2d(%x, %w) from [0] : int8[2,4,4,5] q(1, 0)
    %y = add(%c, %c) from [1] : int8[2,4,4,5] q(1, 0)
    %p = max_pool2d(%z) {kernel_h=2, kernel_w=2} from [2] : int8[1,3,3,3] q(0.5, 1)
    output %y, %p
  })",
            0);
}

}  // namespace
}  // namespace presil::passes
