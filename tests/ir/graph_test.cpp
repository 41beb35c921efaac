#include "compiler_bridge/ir/graph.h"

#include <gtest/gtest.h>

#include "compiler_bridge/ir/text.h"

namespace presil::ir {
namespace {

Graph diamond() {
  return parse(R"(graph "g" tflite {
    input %0 : int8[1,2] q(1, 0)
    %1 = relu(%0) : int8[1,2] q(1, 0)
    %2 = tanh(%1) : int8[1,2] q(1, 0)
    %3 = add(%1, %2) : int8[1,2] q(1, 0)
    tensor %4 "left over" : int8[1,2]
    output %3
  })");
}

TEST(Graph, producer_and_consumers_are_found) {
  const Graph graph = diamond();
  EXPECT_EQ(graph.producer(0), -1);
  EXPECT_EQ(graph.producer(3), 2);
  EXPECT_EQ(graph.consumers(1), (std::vector<int>{1, 2}));
  EXPECT_TRUE(graph.is_output(3));
  const Uses all = uses(graph);
  for (TensorId id = 0; id < 4; ++id) {
    EXPECT_EQ(all.producer[static_cast<size_t>(id)], graph.producer(id));
    EXPECT_EQ(all.consumers[static_cast<size_t>(id)], graph.consumers(id));
  }
}

TEST(Graph, an_op_that_reads_a_tensor_twice_is_one_consumer) {
  const Graph graph = parse(
      "graph \"g\" tflite { input %0 : int8[2] q(1, 0) %1 = mul(%0, %0) : int8[2] q(1, 0) output "
      "%1 }");
  EXPECT_EQ(uses(graph).consumers[0], std::vector<int>{0});
}

TEST(Graph, unused_tensors_go_and_ids_follow) {
  Graph graph = diamond();
  graph.tensors.insert(graph.tensors.begin(), Tensor{});
  for (Op& op : graph.ops) {
    for (TensorId& id : op.inputs) ++id;
    for (TensorId& id : op.outputs) ++id;
  }
  graph.inputs = {1}, graph.outputs = {4};
  drop_unused_tensors(graph);
  EXPECT_EQ(graph.tensors.size(), 4u);
  EXPECT_EQ(graph.inputs, std::vector<TensorId>{0});
  EXPECT_EQ(graph.ops[2].inputs, (std::vector<TensorId>{1, 2}));
  verify(graph);
}

TEST(Graph, copies_share_constants_and_compare_by_content) {
  const Graph graph = parse("graph \"g\" tflite { const %0 : int8[3] = [1, 2, 3] output %0 }");
  Graph copy = graph;
  EXPECT_EQ(copy.tensors[0].data.get(), graph.tensors[0].data.get());
  copy.tensors[0].data = std::make_shared<const Bytes>(Bytes{1, 2, 3});
  EXPECT_EQ(copy, graph);
  copy.tensors[0].data = std::make_shared<const Bytes>(Bytes{1, 2, 4});
  EXPECT_NE(copy, graph);
}

TEST(Graph, ops_that_differ_in_one_attribute_differ) {
  const Graph graph = diamond();
  Graph other = graph;
  EXPECT_EQ(graph, other);
  other.ops[2].as<Elementwise>().act = Activation::kRelu;
  EXPECT_NE(graph, other);
}

}  // namespace
}  // namespace presil::ir
