// A pass that breaks its promise is named, with the tensor, the index and both values.
#include "compiler_bridge/compile/verify_passes.h"

#include "tests/compiler/partition_random_network.h"
#include "tests/compiler/pass_check.h"

namespace presil::compile {
namespace {

constexpr char kNetwork[] = R"(graph "g" tflite {
  input %x : int8[1,2,3,1] q(0.5, 0)
  const %w : int8[1,1,1,1] q(0.5, 0) = [2]
  %y "first" = conv2d(%x, %w) : int8[1,2,3,1] q(0.5, 0)
  %z "second" = relu(%y) : int8[1,2,3,1] q(0.5, 0)
  output %z
})";

/// 0, 1, 2, ...
std::vector<reference::TensorValue> counting(const ir::Graph& graph) {
  const ir::Tensor& x = graph.tensor(graph.inputs[0]);
  reference::TensorValue value{x.dtype, x.shape, ir::Bytes(x.bytes())};
  for (size_t i = 0; i < value.data.size(); ++i) value.data[i] = static_cast<uint8_t>(i);
  return {value};
}

VerifiedPasses with(int (*wrong)(ir::Graph&)) {
  const ir::Graph graph = ir::parse(kNetwork);
  return verify_passes(graph, counting(graph),
                       {{"remove_identity", passes::remove_identity},
                        {"fold_relu", passes::fold_relu},
                        {"wrong", wrong}});
}

TEST(VerifyPasses, a_pass_that_changes_a_value_is_named_with_tensor_index_and_both_values) {
  const VerifiedPasses found = with([](ir::Graph& graph) {
    graph.tensor(1).data = std::make_shared<const ir::Bytes>(ir::Bytes{4});
    return 1;
  });
  ASSERT_TRUE(found.broken);
  EXPECT_EQ(found.broken->pass, "wrong");
  EXPECT_EQ(found.broken->run, 2);
  EXPECT_EQ(found.broken->name, "w");
  EXPECT_EQ(found.broken->before, "2");
  EXPECT_EQ(found.broken->after, "4");
  EXPECT_EQ(found.broken->sentence, "changes tensor 'w' at [0,0,0,0]: 2 before, 4 after");
}

TEST(VerifyPasses, the_first_element_that_differs_is_told) {
  const VerifiedPasses found = with([](ir::Graph& graph) {
    graph.ops[0].as<ir::Conv2d>().act = ir::Activation::kReluN1To1;
    return 1;
  });
  ASSERT_TRUE(found.broken);
  // y = x * 2 * 0.5; 1 is stored as 2, so the clamp shows from x = 3 on.
  EXPECT_EQ(found.broken->index, (std::vector<int64_t>{0, 1, 0, 0}));
  EXPECT_EQ(found.broken->sentence, "changes tensor 'second' at [0,1,0,0]: 3 before, 2 after");
}

TEST(VerifyPasses, other_promises_are_kept_too) {
  const auto sentence = [](int (*wrong)(ir::Graph&)) {
    const VerifiedPasses found = with(wrong);
    return found.broken ? found.broken->sentence : "kept";
  };
  EXPECT_EQ(sentence([](ir::Graph& graph) {
              graph.outputs = {0};
              return 1;
            }),
            "changes which tensors are the network's inputs and outputs");
  EXPECT_EQ(sentence([](ir::Graph& graph) {
              graph.tensor(3).shape = {1, 6, 1, 1};
              return 1;
            }),
            "leaves a graph that does not hold together: ir: op 0, conv2d \"first\": y is "
            "[1,6,1,1], must be [1,2,3,1], which follows from its inputs");
  EXPECT_EQ(sentence([](ir::Graph& graph) {
              ir::Tensor& w = graph.tensor(1);
              w.shape = {1, 1, 1, 1, 1};
              graph.ops[0].inputs[1] = graph.add(w);
              graph.tensor(4).shape = {1, 1, 1, 1};
              return 1;
            }),
            "changes the type of tensor 'w': int8[1,1,1,1] before, int8[1,1,1,1,1] after");
}

TEST(VerifyPasses, the_standard_passes_change_nothing_in_random_networks) {
  size_t applied = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const ir::Graph graph = partition::RandomNetwork(seed).make();
    const VerifiedPasses found = verify_passes(graph, passes::random_inputs(graph, seed));
    EXPECT_FALSE(found.broken) << found.broken->pass << " " << found.broken->sentence;
    EXPECT_GE(found.compared, found.applied.size());
    applied += found.applied.size();
  }
  EXPECT_GT(applied, 20u);
}

}  // namespace
}  // namespace presil::compile
