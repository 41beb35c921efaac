// Sums, differences and products: what joins which layer, and what is read beside it.
#include <gmock/gmock.h>

#include "driver/kernels/host/kernels.h"
#include "tests/compiler/partition_check.h"

namespace presil::partition {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PartitionAdd, the_larger_of_two_convolutions_takes_it_and_runs_last) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,6,6,4] q(0.5, -3)
    const %w3 : int8[4,3,3,4] q(0.02, 0) = random 7
    const %w1 : int8[4,1,1,4] q(0.02, 0) = random 9
    %a = conv2d(%x, %w3) {pad_top=1, pad_left=1, pad_bottom=1, pad_right=1} : int8[1,6,6,4] q(1.8, 4)
    %b = conv2d(%x, %w1) : int8[1,6,6,4] q(0.8, -4)
    %s = add(%a, %b) {act=relu} : int8[1,6,6,4] q(1.5, -128)
    output %s
  })");
  EXPECT_THAT(p.layers(), ElementsAre("b: conv2d", "a: conv2d+add"));
}

TEST(PartitionAdd, two_inputs_are_a_pass_of_their_own) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %a : int8[1,3,5,20] q(0.5, -3)
    input %b : int8[1,3,5,20] q(0.02, 40)
    %s = add(%a, %b) {act=relu6} : int8[1,3,5,20] q(0.04, -100)
    output %s
  })");
  ASSERT_THAT(p.layers(), ElementsAre("s: add"));
  EXPECT_EQ(p.dla(0).op, dla::Op::kPass);
}

TEST(PartitionAdd, a_tensor_is_added_to_itself) {
  expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,4] q(0.5, -3)
    const %w : int8[4,1,1,4] q(0.02, 0) = random 7
    %a = conv2d(%x, %w) : int8[1,4,4,4] q(0.8, 4)
    %s = add(%a, %a) : int8[1,4,4,4] q(1.7, 0)
    output %s
  })");
}

TEST(PartitionAdd, a_second_add_after_the_first_is_a_pass) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %x : int8[1,4,4,4] q(0.5, -3)
    input %r : int8[1,4,4,4] q(0.4, 3)
    const %w : int8[4,1,1,4] q(0.02, 0) = random 7
    %a = conv2d(%x, %w) : int8[1,4,4,4] q(0.8, 4)
    %s = add(%a, %r) : int8[1,4,4,4] q(1.1, 0)
    %t = add(%s, %r) : int8[1,4,4,4] q(1.3, 9)
    output %t
  })");
  EXPECT_THAT(p.layers(), ElementsAre("a: conv2d+add", "t: add"));
}

// TFLite: rounding a product and its negative differ at halves, so b - conv stays a pass.
TEST(PartitionSub, joins_as_first_operand_or_under_xnnpack) {
  const std::string text = R"(graph "g" tflite {
    input %x : int8[1,4,4,4] q(0.5, -3)
    input %r : int8[1,4,4,4] q(0.4, 3)
    const %w : int8[4,1,1,4] q(0.02, 0) = random 7
    %a = conv2d(%x, %w) : int8[1,4,4,4] q(0.8, 4)
    %s = sub(ORDER) : int8[1,4,4,4] q(1.1, 0)
    output %s
  })";
  const auto with = [&](const std::string& order) {
    std::string t = text;
    return t.replace(t.find("ORDER"), 5, order);
  };
  EXPECT_THAT(expect_exact(with("%a, %r")).layers(), ElementsAre("a: conv2d+sub"));
  EXPECT_THAT(expect_exact(with("%r, %a")).layers(), ElementsAre("a: conv2d", "s: sub"));
  const Partitioned x = partitioned(parsed(with("%r, %a"), ir::Numerics::kXnnpack));
  EXPECT_THAT(x.layers(), ElementsAre("a: conv2d+sub"));
}

TEST(PartitionMul, joins_as_either_operand) {
  for (const char* order : {"%a, %r", "%r, %a"}) {
    const Partitioned p = expect_exact(std::string(R"(graph "g" tflite {
      input %x : int8[1,4,4,4] q(0.5, -3)
      input %r : int8[1,4,4,4] q(0.004, 3)
      const %w : int8[4,1,1,4] q(0.02, 0) = random 7
      %a = conv2d(%x, %w) : int8[1,4,4,4] q(0.8, 4)
      %s = mul()") + order + R"() : int8[1,4,4,4] q(0.3, 0)
      output %s
    })");
    EXPECT_THAT(p.layers(), ElementsAre("a: conv2d+mul"));
  }
}

TEST(PartitionAdd, what_the_dla_does_not_take_runs_on_the_host_with_the_reason) {
  const Partitioned p = expect_exact(R"(graph "g" tflite {
    input %a : int8[1,3,5,20] q(0.5, -3)
    input %r : int8[1,3,1,20] q(0.02, 40)
    const %c : int8[1,1,1,20] q(0.02, 40) = random 3
    %s = add(%a, %r) : int8[1,3,5,20] q(0.5, 3)
    %t = sub(%c, %s) : int8[1,3,5,20] q(0.5, 3)
    %u = mul(%r, %t) : int8[1,3,5,20] q(0.2, 3)
    output %u
  })");
  ASSERT_THAT(p.layers(), ElementsAre("s: add", "t: sub", "u: mul"));
  EXPECT_EQ(p.host(0).kernel, uint32_t{PRESIL_KERNEL_ADD_I8});
  EXPECT_THAT(p.partition.placements[0].reason(), HasSubstr("dla: pair of operands is"));
  EXPECT_EQ(p.partition.placements[0].engine, "host");
}

TEST(PartitionMul, a_gate_of_one_pixel_and_constants_join_the_layer_before) {
  for (const char* order : {"%a, %g", "%g, %a"}) {
    const Partitioned p = expect_exact(std::string(R"(graph "g" tflite {
      input %x : int8[1,4,5,4] q(0.5, -3)
      const %w : int8[20,1,1,4] q(0.02, 0) = random 7
      const %k : int8[20] q(0.02, 40) = random 3
      const %one : int8[1] q(0.03, 4) = [77]
      const %rows : int8[4,1,1] q(0.03, 4) = random 5
      %a = conv2d(%x, %w) : int8[1,4,5,20] q(0.8, 4)
      %m = mean(%a) {axes=[1,2], keep_dims=true} : int8[1,1,1,20] q(0.4, 4)
      %g = mul(%m, %k) : int8[1,1,1,20] q(0.2, 4)
      %s = mul()") + order + R"() : int8[1,4,5,20] q(0.9, 0)
      %t = add(%one, %s) : int8[1,4,5,20] q(1.1, 0)
      %u = sub(%t, %rows) : int8[1,4,5,20] q(1.3, 0)
      output %u
    })");
    EXPECT_THAT(p.layers(), ElementsAre("a: conv2d", "m: mean+mul", "s: mul", "t: add+sub"));
    EXPECT_EQ(p.dla(3).lut.size(), 256u);  // one constant for all values
    for (size_t i = 0; i < 5; ++i) EXPECT_EQ(p.partition.placements[i].engine, "dla") << i;
    EXPECT_EQ(p.graph.tensor(p.dla(1).ew.operand).name, "k");
    EXPECT_EQ(p.graph.tensor(p.dla(3).ew.operand).shape, (std::vector<int64_t>{1, 4, 5, 20}));
  }
}

}  // namespace
}  // namespace presil::partition
