// Names that people know: exporters' texts in, names of operators and layers out.
#include <gmock/gmock.h>

#include "compiler_bridge/partition/name.h"
#include "compiler_bridge/partition/scope.h"
#include "tests/compiler/partition_check.h"

namespace presil::partition {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::UnorderedElementsAreArray;
using Kind = ir::OpKind;

/// "model/conv2d_5 Conv2D": path and primitive; "" for a name that says nothing
std::string said(const std::string& name, Kind kind) {
  const Scope scope = scope_of(name, kind);
  std::string text;
  for (const std::string& part : scope.path) text += (text.empty() ? "" : "/") + part;
  return text + (text.empty() || scope.primitive.empty() ? "" : " ") + scope.primitive;
}

/// A chain of operators "kind name", as an imported graph.
ir::Graph chain(const std::vector<std::pair<std::string, std::string>>& ops,
                const std::string& weights = "tfl.pseudo_qconst434") {
  std::string text = "graph \"g\" tflite {\n  input %x : int8[1,4,4,4] q(0.5, 0)\n";
  std::string last = "%x";
  std::string body;
  for (size_t i = 0; i < ops.size(); ++i) {
    const auto& [kind, name] = ops[i];
    const std::string n = std::to_string(i);
    std::string inputs = last;
    if (kind == "conv2d") {
      text += "  const %w" + n + " \"" + weights + (i == 0 ? "" : n) +
              "\" : int8[4,1,1,4] q(0.01, 0) = random 7\n";
      inputs += ", %w" + n;
    } else if (kind == "add" || kind == "mul" || kind == "concat") {
      inputs += ", %x";
    }
    const std::string type = kind == "softmax" ? " : int8[1,4,4,4] q(0.00390625, -128)\n"
                                               : " : int8[1,4,4,4] q(0.5, 0)\n";
    body += "  %y" + n + " \"" + name + "\" = " + kind + "(" + inputs + ")" + " from [" + n + "]" +
            type;
    last = "%y" + n;
  }
  return ir::parse(text + body + "  output " + last + "\n}");
}

std::vector<std::string> names(const std::vector<std::pair<std::string, std::string>>& ops) {
  return op_names(chain(ops));
}

TEST(Scope, is_the_layer_and_its_primitive) {
  EXPECT_EQ(said("model_1/conv2d_5/Conv2D", Kind::kConv2d), "model_1/conv2d_5 Conv2D");
  EXPECT_EQ(said("labels_softmax", Kind::kSoftmax), "labels_softmax");
  EXPECT_EQ(said("model.2.cv1", Kind::kConv2d), "model.2.cv1");
  EXPECT_EQ(said("/model.2/cv1/conv/Conv_output_0", Kind::kConv2d),
            "model.2/cv1/conv Conv_output_0");
}

TEST(Scope, of_fused_operators_is_that_of_the_operator_itself) {
  // what follows, what was folded in, the bias, another layer with the same constant, itself
  EXPECT_EQ(said("model/activation_3/Relu;model/batch_normalization_3/FusedBatchNormV3;"
                 "model/conv2d_3/BiasAdd/ReadVariableOp/resource;model/conv2d_3/BiasAdd;"
                 "model/conv2d_5/Conv2D;model/conv2d_3/Conv2D1",
                 Kind::kConv2d),
            "model/conv2d_3 BiasAdd");
  EXPECT_EQ(said("net/batch_normalization_1/batchnorm/add_1;net/conv2d_1/convolution;"
                 "net/batch_normalization_1/batchnorm/sub1",
                 Kind::kConv2d),
            "net/conv2d_1 convolution");
  // Two are of the kind: the one that also named the activation and the normalisation.
  EXPECT_EQ(said("M/block_1/depthwise/relu6/Relu6;M/block_1/depthwise/bn/FusedBatchNormV3;"
                 "M/block_4/depthwise/depthwise;M/block_1/depthwise/depthwise",
                 Kind::kDepthwiseConv2d),
            "M/block_1/depthwise depthwise");
  EXPECT_EQ(said("m/activation_2/Relu;m/add/add", Kind::kAdd), "m/add add");
}

TEST(Scope, of_a_constant_or_a_converter_s_filler_says_nothing) {
  for (const char* name :
       {"tfl.pseudo_qconst434", "arith.constant", "arith.constant11", "StatefulPartitionedCall:0",
        "StatefulPartitionedCall_1", "PartitionedCall:1", "Identity", "Identity_2", "Identity_int8",
        "Identity_int8_1", "Const_173", "tfl.unidirectional_sequence_lstm", ""}) {
    EXPECT_EQ(said(name, Kind::kConv2d), "") << name;
  }
  EXPECT_EQ(said("StatefulPartitionedCall/model/conv/Conv2D", Kind::kConv2d), "model/conv Conv2D");
  EXPECT_EQ(said("IdentityBlock/conv/Conv2D", Kind::kConv2d), "IdentityBlock/conv Conv2D");
}

TEST(Scope, leaves_out_what_frameworks_add) {
  EXPECT_EQ(said("m/tf.math.add_7/Add;m/tf.nn.convolution_5/convolution;Const_1", Kind::kConv2d),
            "m/convolution_5 convolution");
  EXPECT_EQ(said("m/tf.image.resize_1/resize/ResizeNearestNeighbor", Kind::kResizeNearest),
            "m/resize_1 ResizeNearestNeighbor");
  EXPECT_EQ(said("MobilenetV1/MobilenetV1/Conv2d_0/Relu6", Kind::kConv2d),
            "MobilenetV1/Conv2d_0 Relu6");
  EXPECT_EQ(said("block/dense_4/Tensordot/MatMul", Kind::kFullyConnected), "block/dense_4 MatMul");
  EXPECT_EQ(said("models.yolo.Detect_model.22/torch.nn.modules.conv.Conv2d_cv1/convolution",
                 Kind::kConv2d),
            "model.22/cv1 convolution");
}

TEST(OpNames, are_the_innermost_scopes) {
  EXPECT_THAT(names({{"conv2d", "model/conv2d_1/Conv2D"}, {"conv2d", "model/conv2d_2/Conv2D"}}),
              ElementsAre("conv2d_1", "conv2d_2"));
}

TEST(OpNames, have_as_many_scopes_around_as_make_them_different) {
  EXPECT_THAT(names({{"conv2d", "M/block_1/expand/Conv2D"},
                     {"conv2d", "M/block_2/expand/Conv2D"},
                     {"conv2d", "M/top/Conv2D"}}),
              ElementsAre("block_1/expand", "block_2/expand", "top"));
}

TEST(OpNames, in_one_scope_the_layer_with_weights_has_its_name_and_the_others_their_primitive) {
  EXPECT_THAT(names({{"conv2d", "m/stem/Conv2D"},
                     {"mul", "m/attention/mul"},
                     {"softmax", "m/attention/Softmax"},
                     {"relu", "m/stem/Relu"}}),
              ElementsAre("stem", "attention/mul", "attention/Softmax", "stem/Relu"));
}

TEST(OpNames, a_block_is_no_operator) {
  EXPECT_THAT(
      names({{"conv2d", "m/block/conv/Conv2D"}, {"add", "m/block/add"}, {"add", "m/add_1"}}),
      ElementsAre("conv", "block/add", "m/add_1"));
}

TEST(OpNames, one_that_a_converter_put_beside_another_is_called_by_its_kind) {
  EXPECT_THAT(
      names({{"mul", "m/tf.math.multiply_9/Mul"}, {"quantize", "m/tf.math.multiply_9/Mul1"}}),
      ElementsAre("multiply_9", "multiply_9/quantize"));
}

TEST(OpNames, without_a_name_are_kinds_and_take_none_from_others) {
  EXPECT_THAT(names({{"relu", "Identity"},
                     {"concat", "m/tf.concat/concat"},
                     {"concat", "StatefulPartitionedCall:0"},
                     {"softmax", "PartitionedCall:0"}}),
              ElementsAre("relu", "concat", "concat#2", "softmax"));
}

TEST(OpNames, of_an_output_without_name_is_the_scope_that_its_weights_stand_in_never_a_constant_s) {
  EXPECT_THAT(op_names(chain({{"conv2d", "PartitionedCall:1"}}, "m/conv2d_13/convolution")),
              ElementsAre("conv2d_13"));
  EXPECT_THAT(op_names(chain({{"conv2d", "PartitionedCall:1"}}, "tfl.pseudo_qconst434")),
              ElementsAre("conv2d"));
  EXPECT_THAT(op_names(chain({{"conv2d", "Relu"}}, "first_weights/read")), ElementsAre("Relu"));
}

TEST(OpNames, equal_in_all_are_numbered_in_the_order_of_the_file) {
  EXPECT_THAT(names({{"relu", "a"}, {"relu", "a"}, {"relu", "a#2"}, {"relu", "a"}}),
              ElementsAre("a", "a#2", "a#2#2", "a#3"));
}

TEST(OpNames, stay_when_an_operator_joins_that_is_called_otherwise) {
  const std::vector<std::pair<std::string, std::string>> before = {{"conv2d", "m/a/conv/Conv2D"},
                                                                   {"conv2d", "m/b/conv/Conv2D"},
                                                                   {"relu", "Identity"},
                                                                   {"relu", "m/act/Relu"}};
  const std::vector<std::string> expected = names(before);
  for (size_t at = 0; at <= before.size(); ++at) {
    std::vector<std::pair<std::string, std::string>> ops = before;
    ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(at), {"conv2d", "m/extra/Conv2D"});
    std::vector<std::string> got = names(ops);
    ASSERT_EQ(got.at(at), "extra");
    got.erase(got.begin() + static_cast<std::ptrdiff_t>(at));
    EXPECT_EQ(got, expected) << at;
  }
}

TEST(LayerNames, are_those_of_the_operators_and_of_several_of_one_numbered) {
  ir::Graph graph = parsed(R"(graph "g" tflite {
    input %x : int8[1,6,6,4] q(0.5, -3)
    const %w "tfl.pseudo_qconst3" : int8[8,1,1,4] q(0.02, 0) = random 7
    %a "m/stem/Conv2D" = conv2d(%x, %w) from [0] : int8[1,6,6,8] q(0.8, 4)
    %l "m/act/LeakyRelu" = leaky_relu(%a) {alpha=0.1} from [1] : int8[1,6,6,8] q(0.7, -20)
    %t "m/turn/transpose" = transpose(%l) {perm=[0,3,1,2]} from [2] : int8[1,8,6,6] q(0.7, -20)
    output %t
  })",
                           ir::Numerics::kTflite);
  for (const ir::Numerics numerics : {ir::Numerics::kTflite, ir::Numerics::kXnnpack}) {
    graph.numerics = numerics;
    const Partitioned p = partitioned(graph);
    std::vector<std::string> layers, placements;
    for (const layer::Layer& layer : p.partition.layers) layers.push_back(layer.name);
    for (const placement::Placement& placement : p.partition.placements) {
      placements.push_back(placement.name);
    }
    EXPECT_THAT(layers, testing::Contains("stem"));
    EXPECT_THAT(layers, testing::Contains("turn"));
    EXPECT_THAT(layers, Each(testing::MatchesRegex("(stem|act|turn)(#[2-9])?")));
    EXPECT_THAT(placements, ElementsAre("stem", "act", "turn"));
    EXPECT_EQ(std::set<std::string>(layers.begin(), layers.end()).size(), layers.size());
  }
}

}  // namespace
}  // namespace presil::partition
