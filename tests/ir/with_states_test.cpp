// States of a graph as inputs and outputs.
#include "compiler_bridge/ir/with_states.h"

#include <gmock/gmock.h>

#include "compiler_bridge/ir/binary.h"
#include "compiler_bridge/ir/text.h"
#include "models/base/refusal.h"

namespace presil::ir {
namespace {

Graph filters() {
  return parse(R"(graph "g" tflite {
    input %x : int8[1,2] q(1, 0)
    const %f : int8[2,2] q(1, 0) = [1, 2, 3, -1]
    const %t : int16[2,2] q(1, 0) = [10, 1, -1, 2]
    %y, %last = svdf(%x, %f, %t) {rank=2} from [0] : int8[1,1] q(2, -3), int16[1,4] q(1, 0)
    output %y
  })");
}

TEST(WithStates, a_state_is_an_input_and_an_output_more) {
  const Graph g = with_states(filters());
  verify(g);
  ASSERT_EQ(g.inputs.size(), 2u);
  ASSERT_EQ(g.outputs.size(), 2u);
  ASSERT_EQ(g.states.size(), 1u);
  EXPECT_EQ(g.states[0].before, g.inputs[1]);
  EXPECT_EQ(g.states[0].after, g.outputs[1]);
  EXPECT_EQ(g.ops[0].input(4), g.inputs[1]);
  EXPECT_EQ(g.tensor(g.inputs[1]).name, "last/before");
  EXPECT_EQ(with_states(g), g);  // there is none left
}

TEST(WithStates, text_and_bytes_have_them) {
  const Graph g = parse(print(with_states(filters())));  // labels are ids from here on
  ASSERT_EQ(g.states.size(), 1u);
  EXPECT_EQ(parse(print(g)), g);
  const Bytes bytes = to_bytes(g);
  EXPECT_EQ(from_bytes(bytes.data(), bytes.size()), g);
}

TEST(WithStates, a_state_must_be_of_an_input_and_an_output_of_one_type) {
  Graph g = with_states(filters());
  g.states[0].after = g.outputs[0];
  try {
    verify(g);
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("as the state that"));
  }
  g.states[0] = {g.outputs[0], g.outputs[1]};
  try {
    verify(g);
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("must be of an input and an output"));
  }
}

}  // namespace
}  // namespace presil::ir
