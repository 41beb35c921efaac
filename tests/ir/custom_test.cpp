// Custom operators in the graph: any number of tensors, words as attributes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/ir/binary.h"
#include "compiler_bridge/ir/text.h"
#include "models/base/refusal.h"

namespace presil::ir {
namespace {

using testing::HasSubstr;

constexpr const char* kText = R"(graph "g" tflite {
  input %0 "x" : int8[1,4] q(0.5, 3)
  const %1 "w" : float32[2] = [0.5, -1]
  %2 "y", %3 "n" = custom(%0, %1) {code="Magic", options="{\"taps\": [1, 2]}"} from [0] : int8[1,8] q(0.5, 3), int32[1]
  output %2, %3
}
)";

TEST(Custom, text_and_bytes_come_back_identical) {
  const Graph graph = parse(kText);
  verify(graph);
  EXPECT_EQ(print(graph), kText);
  const Bytes bytes = to_bytes(graph);
  EXPECT_EQ(from_bytes(bytes.data(), bytes.size()), graph);
  const auto& custom = graph.ops[0].as<Custom>();
  EXPECT_EQ(custom.code, "Magic");
  EXPECT_EQ(custom.options, "{\"taps\": [1, 2]}");
}

TEST(Custom, results_are_numbered_as_they_are_named) {
  EXPECT_EQ(info(OpKind::kCustom).output_name(0), "y");
  EXPECT_EQ(info(OpKind::kCustom).output_name(2), "y2");
  EXPECT_EQ(info(OpKind::kNms).output_name(1), "count");
}

std::string refused_with(const Graph& graph) {
  try {
    verify(graph);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(Custom, without_a_name_or_results_it_is_refused) {
  Graph graph = parse(kText);
  graph.ops[0].as<Custom>().code.clear();
  EXPECT_THAT(refused_with(graph),
              HasSubstr("its code is empty, must be the name of the operator"));
  graph = parse(kText);
  graph.ops[0].outputs.clear();
  EXPECT_THAT(refused_with(graph), HasSubstr("has 0 outputs, expected 1 or more"));
}

}  // namespace
}  // namespace presil::ir
