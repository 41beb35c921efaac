#include "compiler_bridge/ir/with_batch.h"

#include <gmock/gmock.h>

#include "compiler_bridge/ir/text.h"
#include "models/base/refusal.h"

namespace presil::ir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kNetwork[] = R"(graph "g" tflite {
  input %x : int8[1,4,4,2] q(0.5, 0)
  const %w : int8[3,1,1,2] q(0.25, 0) = splat 1
  const %k : int8[1,4,4,1] q(1, 0) = splat 7
  %c = conv2d(%x, %w) : int8[1,4,4,3] q(1, 0)
  %j = concat(%c, %k) {axis=3} : int8[1,4,4,4] q(1, 0)
  %s = strided_slice(%j) {begin=[0, 0, 0, 1], size=[1, 4, 4, 2], step=[1, 1, 1, 1]} : int8[1,4,4,2] q(1, 0)
  %y = reshape(%s) : int8[1,32] q(1, 0)
  output %y
})";

TEST(WithBatch, all_that_follows_from_the_inputs_has_it) {
  const Graph g = with_batch(parse(kNetwork), 3);
  EXPECT_THAT(g.tensor(g.inputs[0]).shape, ElementsAre(3, 4, 4, 2));
  EXPECT_THAT(g.tensor(g.ops[0].output()).shape, ElementsAre(3, 4, 4, 3));
  EXPECT_THAT(g.tensor(g.ops[0].input(1)).shape, ElementsAre(3, 1, 1, 2)) << "the weights stay";
  EXPECT_THAT(g.ops[2].as<StridedSlice>().size, ElementsAre(3, 4, 4, 2));
  EXPECT_THAT(g.tensor(g.outputs[0]).shape, ElementsAre(3, 32));
}

TEST(WithBatch, a_constant_beside_an_image_is_there_for_each) {
  const Graph g = with_batch(parse(kNetwork), 3);
  const Tensor& k = g.tensor(g.ops[1].input(1));
  EXPECT_THAT(k.shape, ElementsAre(3, 4, 4, 1));
  EXPECT_EQ(*k.data, Bytes(48, 7));
}

// Of TOSA: scales are of channels or of all, one operand of a pair is a constant for each image.
TEST(WithBatch, operators_on_stored_integers_have_images) {
  const Graph g = with_batch(parse(R"(graph "g" tosa {
  input %x : int8[1,4,4,2] q(1, 0)
  const %w : int8[3,1,1,2] q(1, 0) = splat 1
  const %b : int32[3] = [1, 2, 3]
  const %m : int32[3] = splat 1073741824
  const %t : int8[3] = [30, 31, 32]
  const %k : int32[1,1,1,1] = [3]
  %s = conv_sums(%x, %w, %b) {stride=[1,1], dilation=[1,1], before=[0,0], after=[0,0]} : int32[1,4,4,3]
  %h = shift_right(%s, %k) {round=true} : int32[1,4,4,3]
  %p = mul_shift(%k, %h) {shift=7} : int32[1,4,4,3]
  %z = leading_zeros(%p) : int32[1,4,4,3]
  %r = rescale(%z, %m, %t) : int8[1,4,4,3] q(1, 0)
  %y = mean_pool(%r) {kernel_h=4, kernel_w=4} : int8[1,1,1,3] q(1, 0)
  output %y
})"),
                             3);
  EXPECT_THAT(g.tensor(g.outputs[0]).shape, ElementsAre(3, 1, 1, 3));
  EXPECT_THAT(g.tensor(g.ops[1].input(1)).shape, ElementsAre(1, 1, 1, 1)) << "the constant stays";
  EXPECT_THAT(g.tensor(g.ops[4].input(1)).shape, ElementsAre(3)) << "so do scales of channels";
}

TEST(WithBatch, of_one_is_the_graph_itself) {
  EXPECT_EQ(with_batch(parse(kNetwork), 1), parse(kNetwork));
}

std::string refusal(const std::string& text, int64_t images = 2) {
  try {
    with_batch(parse(text), images);
  } catch (const Refusal& refused) {
    return refused.what();
  }
  return "";
}

TEST(WithBatch, operators_that_mix_images_are_refused_by_name) {
  EXPECT_EQ(refusal(R"(graph "g" tflite {
    input %x : int8[1,4,2] q(0.5, 0)
    %y = transpose "turn"(%x) {perm=[1, 0, 2]} : int8[4,1,2] q(0.5, 0)
    output %y
  })"),
            "import: batch: transpose \"turn\" must compute each image of a batch by itself; "
            "run the images one after another with --samples 0:N, or export the network for the "
            "batch");
}

TEST(WithBatch, inputs_have_one_image_and_weights_are_constants) {
  EXPECT_THAT(refusal(R"(graph "g" tflite {
    input %x : int8[4,2] q(0.5, 0)
    %y = relu(%x) : int8[4,2] q(0.5, 0)
    output %y
  })"),
              HasSubstr("input 'x' is int8[4,2] q(0.5, 0), must have a first axis of 1"));
  EXPECT_THAT(refusal(R"(graph "g" tflite {
    input %x : int8[1,4] q(0.5, 0)
    input %w : int8[1,4] q(0.5, 0)
    %y = fully_connected(%x, %w) : int8[1,1] q(0.5, 0)
    output %y
  })"),
              HasSubstr("reads 'w' as a whole, it must be a constant"));
  EXPECT_THAT(refusal(R"(graph "g" tflite {
    input %x : int8[1,4] q(0.5, 0)
    const %k : int8[1,4] q(0.5, 0) = splat 1
    %y = relu(%x) : int8[1,4] q(0.5, 0)
    %z = relu(%k) : int8[1,4] q(0.5, 0)
    output %y, %z
  })"),
              HasSubstr("output 'z' must follow from an input, it is constant"));
  EXPECT_THAT(refusal(R"(graph "g" tflite {
    input %x : int8[1,4] q(0.5, 0)
    const %k : int8[1,4] q(0.5, 0) = splat 1
    %z = relu(%k) : int8[1,4] q(0.5, 0)
    %y = add(%x, %z) : int8[1,4] q(0.5, 0)
    output %y
  })"),
              HasSubstr("reads 'z', which must follow from an input"));
  EXPECT_THAT(refusal(kNetwork, 0), HasSubstr("batch: got 0, must be at least 1"));
}

}  // namespace
}  // namespace presil::ir
