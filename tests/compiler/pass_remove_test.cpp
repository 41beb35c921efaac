// remove_identity and remove_dead, and the pipeline that runs all passes until nothing changes.
#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(RemoveIdentity, readers_read_what_came_before) {
  const ir::Graph g = rewritten(remove_identity, R"(graph "g" tflite {
    input %x : int8[1,2,2,3] q(0.5, -3)
    %a = reshape(%x) : int8[1,2,2,3] q(0.5, -3)
    %b = quantize(%a) : int8[1,2,2,3] q(0.5, -3)
    %c = pad(%b) {before=[0,0,0,0], after=[0,0,0,0], value=1} : int8[1,2,2,3] q(0.5, -3)
    %d = transpose(%c) {perm=[0,1,2,3]} : int8[1,2,2,3] q(0.5, -3)
    %e = strided_slice(%d) {begin=[0,0,0,0], size=[1,2,2,3], step=[1,1,1,1]} : int8[1,2,2,3] q(0.5, -3)
    %f = concat(%e) {axis=3} : int8[1,2,2,3] q(0.5, -3)
    %g = resize_nearest(%f) : int8[1,2,2,3] q(0.5, -3)
    %y = relu(%g) : int8[1,2,2,3] q(0.5, -3)
    output %y
  })",
                                7);
  EXPECT_THAT(op_lines(g), ElementsAre("y = relu(x)"));
}

TEST(RemoveIdentity, an_output_is_made_by_the_op_before) {
  const ir::Graph g = rewritten(remove_identity, R"(graph "g" tflite {
    input %x : int8[1,6] q(0.5, -3)
    %a = relu(%x) : int8[1,6] q(0.5, -3)
    %y = reshape(%a) : int8[1,6] q(0.5, -3)
    %z = tanh(%a) : int8[1,6] q(0.0078125, 0)
    output %y, %z
  })",
                                1);
  EXPECT_THAT(op_lines(g), ElementsAre("y = relu(x)", "z = tanh(y)"));
}

TEST(RemoveIdentity, between_input_and_output_it_stays) {
  rewritten(remove_identity, R"(graph "g" tflite {
    input %x : int8[1,6] q(0.5, -3)
    %y = reshape(%x) : int8[1,6] q(0.5, -3)
    output %y
  })",
            0);
}

TEST(RemoveIdentity, of_two_reshapes_the_first_is_skipped) {
  ir::Graph g = rewritten(remove_identity, R"(graph "g" tflite {
    input %x : int8[1,6] q(0.5, -3)
    %a = reshape(%x) : int8[2,3] q(0.5, -3)
    %y = reshape(%a) : int8[3,2] q(0.5, -3)
    output %y
  })",
                          1);
  EXPECT_THAT(op_lines(g), ElementsAre("a = reshape(x)", "y = reshape(x)"));
  EXPECT_EQ(remove_dead(g), 1);
}

std::string rescaled(const std::string& multiplier, const std::string& attributes) {
  return R"(graph "g" tosa {
    input %x : int8[2,2] q(1, -1)
    const %m : int32[1] = [)" +
         multiplier + R"(]
    const %t : int8[1] = [30]
    %a = rescale(%x, %m, %t) {)" +
         attributes + R"(} : int8[2,2] q(1, -1)
    %y = relu(%a) : int8[2,2] q(1, -1)
    output %y
  })";
}

TEST(RemoveIdentity, a_rescale_by_1_between_the_same_zero_points) {
  const std::string same = "in_zero=-1, out_zero=-1, round_twice=true";
  rewritten(remove_identity, rescaled("1073741824", same), 1);
  rewritten(remove_identity, rescaled("1073741823", same), 0);
  rewritten(remove_identity, rescaled("1073741824", "in_zero=-1, out_zero=0"), 0);
  rewritten(remove_identity, rescaled("1073741824", same + ", in_unsigned=true"), 0);
}

TEST(RemoveIdentity, another_meaning_or_order_is_none) {
  rewritten(remove_identity, R"(graph "g" tflite {
    input %x : int8[2,2] q(0.5, -3)
    %a = quantize(%x) : int8[2,2] q(0.5, -2)
    %b = transpose(%a) {perm=[1,0]} : int8[2,2] q(0.5, -2)
    %c = concat(%b) {axis=0, act=relu} : int8[2,2] q(0.5, -2)
    %y = strided_slice(%c) {begin=[1,0], size=[2,2], step=[-1,1]} : int8[2,2] q(0.5, -2)
    output %y
  })",
            0);
}

TEST(RemoveDead, chains_go_at_once_and_outputs_stay) {
  const ir::Graph g = rewritten(remove_dead, R"(graph "g" tflite {
    input %x : int8[1,6] q(0.5, -3)
    %a = relu(%x) : int8[1,6] q(0.5, -3)
    %b = relu6(%a) : int8[1,6] q(0.5, -3)
    %c = relu(%b) : int8[1,6] q(0.5, -3)
    output %a
  })",
                                2);
  EXPECT_THAT(op_lines(g), ElementsAre("a = relu(x)"));
}

const char* const kSmall = R"(graph "g" tflite {
  input %x : int8[1,4,4,2] q(0.5, -3)
  const %w : int8[3,3,3,2] q(0.02, 0) = random 7
  %i = reshape(%x) : int8[1,4,4,2] q(0.5, -3)
  %p = pad(%i) {before=[0,1,1,0], after=[0,1,1,0], value=-3} : int8[1,6,6,2] q(0.5, -3)
  %c = conv2d(%p, %w) : int8[1,4,4,3] q(0.08, 4)
  %r = relu(%c) : int8[1,4,4,3] q(0.08, 4)
  %y = leaky_relu(%r) {alpha=0.1} : int8[1,4,4,3] q(0.08, 4)
  output %y
})";

TEST(Passes, run_until_nothing_changes_and_say_what_they_did) {
  ir::Graph g = ir::parse(kSmall);
  std::vector<std::string> said;
  for (const Applied& applied : run_passes(g)) {
    said.push_back(applied.pass + " " + std::to_string(applied.rewrites));
  }
  EXPECT_THAT(said, ElementsAre("remove_identity 1", "fold_pad 1", "fold_relu 1",
                                "lower_activation_to_lut 1", "remove_dead 1"));
  EXPECT_THAT(op_lines(g), ElementsAre("r = conv2d(x, w)", "y = lut(r, y/table)"));
  EXPECT_THAT(run_passes(g), IsEmpty());
}

TEST(Passes, each_can_be_bracketed_by_the_reference_interpreter) {
  ir::Graph g = ir::parse(kSmall);
  int brackets = 0;
  run_passes(g, [&](const Pass& pass, const ir::Graph& before, const ir::Graph& after) {
    SCOPED_TRACE(pass.name);
    expect_same_values(before, after);
    ++brackets;
    return true;
  });
  EXPECT_EQ(brackets, 5);
}

TEST(Passes, a_bracket_that_says_no_is_the_last) {
  ir::Graph g = ir::parse(kSmall);
  int brackets = 0;
  const auto second_is_no = [&](const Pass&, const ir::Graph&, const ir::Graph&) {
    return ++brackets < 2;
  };
  EXPECT_EQ(run_passes(g, second_is_no).size(), 2u);
  EXPECT_EQ(brackets, 2);
}

TEST(Passes, prepare_leaves_its_argument_alone) {
  const ir::Graph imported = ir::parse(kSmall);
  EXPECT_EQ(prepare(imported).ops.size(), 2u);
  EXPECT_EQ(imported.ops.size(), 5u);
}

}  // namespace
}  // namespace presil::passes
