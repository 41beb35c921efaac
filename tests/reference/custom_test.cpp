// Custom operators are computed by whatever runs the graph.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/reference/reference.h"
#include "models/base/refusal.h"

namespace presil::reference {
namespace {

using testing::HasSubstr;

ir::Graph graph() {
  return ir::parse(R"(graph "g" tflite {
    input %x : int8[1,3] q(0.5, 3)
    %y = custom(%x) {code="Magic"} from [0] : int8[1,3] q(0.5, 3)
    output %y
  })");
}

const TensorValue kX{ir::DType::kInt8, {1, 3}, {1, 2, 3}};

std::vector<TensorValue> plus_one(const ir::Graph&, const ir::Op& op,
                                  const std::vector<TensorValue>& inputs) {
  EXPECT_EQ(op.as<ir::Custom>().code, "Magic");
  TensorValue y = inputs.at(0);
  for (uint8_t& byte : y.data) ++byte;
  return {y};
}

TEST(CustomOperator, it_is_asked_with_the_values_of_the_inputs) {
  EXPECT_EQ(run(graph(), {kX}, plus_one).at(0).data, (ir::Bytes{2, 3, 4}));
}

std::string refusal(const CustomOperator& custom) {
  try {
    run(graph(), {kX}, custom);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(CustomOperator, none_to_ask_and_results_of_another_type_are_refused) {
  EXPECT_EQ(refusal({}),
            "reference: custom operator Magic \"y\" has no reference; give one where its kernel is "
            "registered");
  const std::string wrong =
      "reference: custom operator Magic \"y\": its reference gives no result 0 of type int8[1,3] "
      "q(0.5, 3)";
  EXPECT_EQ(refusal([](const auto&, const auto&, const auto&) {
              return std::vector<TensorValue>{{ir::DType::kUint8, {1, 3}, {1, 2, 3}}};
            }),
            wrong);
  EXPECT_EQ(
      refusal([](const auto&, const auto&, const auto&) { return std::vector<TensorValue>(); }),
      wrong);
}

}  // namespace
}  // namespace presil::reference
