// LSTMs in files: what becomes of the 24 inputs, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/import/tflite.h"
#include "rtl/soc/refusal.h"
#include "tests/import/tflite_file.h"

namespace presil::import {
namespace {

using testing::HasSubstr;

/// 3 units on x [1,5,2].
TfliteFile lstm_file() {
  TfliteFile f;
  const int x = f.add_tensor("x", {1, 5, 2});
  std::vector<int32_t> inputs(24, -1);
  inputs[0] = x;
  for (size_t i = 1; i <= 8; ++i) {
    const int columns = i <= 4 ? 2 : 3;
    inputs[i] = f.add_constant("w" + std::to_string(i), {3, columns}, file::TensorType_Int8,
                               std::vector<int8_t>(static_cast<size_t>(3 * columns), 1));
  }
  for (size_t i = 12; i <= 15; ++i) {
    inputs[i] = f.add_integers("b" + std::to_string(i), {1, 2, 3});
  }
  inputs[18] = f.add_constant("h", {1, 3}, file::TensorType_Int8, std::vector<int8_t>{9, 9, 9});
  inputs[19] = f.add_tensor("c", {1, 3}, file::TensorType_Int16);
  for (const int state : {inputs[18], inputs[19]}) f.tensor(state).is_variable = true;
  f.tensor(inputs[18]).quantization->zero_point = {3};
  f.tensor(inputs[19]).quantization = std::make_unique<file::QuantizationT>();
  f.tensor(inputs[19]).quantization->scale = {1.0f / 2048};
  const int y = f.add_tensor("y", {1, 5, 3});
  file::LstmT options;
  options.activation = file::Fused_Tanh;
  options.cell_clip = 2.5f;
  f.add_op(file::Builtin_UNIDIRECTIONAL_SEQUENCE_LSTM, inputs, {y}).options.Set(std::move(options));
  f.graph().inputs = {x};
  f.graph().outputs = {y};
  return f;
}

std::string refusal(const TfliteFile& f) {
  try {
    import_tflite(f.bytes(), "net");
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

TEST(TfliteLstm, states_are_results_and_start_at_zero) {
  const ir::Graph graph = import_tflite(lstm_file().bytes(), "net");
  ASSERT_EQ(graph.ops.size(), 1u);
  const ir::Op& op = graph.ops[0];
  EXPECT_EQ(op.kind, ir::OpKind::kLstm);
  EXPECT_EQ(op.inputs.size(), 13u);
  EXPECT_EQ(op.as<ir::Lstm>().cell_clip, 2.5f);
  ASSERT_EQ(op.outputs.size(), 3u);
  EXPECT_EQ(graph.tensor(op.output(1)).name, "h");
  EXPECT_FALSE(graph.tensor(op.output(1)).is_constant());  // whatever the file keeps there
  EXPECT_EQ(graph.tensor(op.output(2)).dtype, ir::DType::kInt16);
}

TEST(TfliteLstm, anything_but_a_plain_one_is_refused) {
  auto f = lstm_file();
  f.op().options.AsLstm()->activation = file::Fused_Relu;
  EXPECT_THAT(refusal(f), HasSubstr("its activation is number 1, wants tanh"));
  f = lstm_file();
  f.op().inputs[9] = f.op().inputs[12];
  EXPECT_THAT(refusal(f), HasSubstr("it has peepholes, wants a plain LSTM"));
  f = lstm_file();
  f.op().inputs[1] = -1;
  EXPECT_THAT(refusal(f),
              HasSubstr("its w_input is missing: gates that share their weights are not "
                        "supported"));
  f = lstm_file();
  f.op().inputs[19] = -1;
  EXPECT_THAT(refusal(f), HasSubstr("its state is missing"));
  f = lstm_file();
  f.op().inputs.pop_back();
  EXPECT_THAT(refusal(f), HasSubstr("it has 23 inputs, wants all 24, absent ones too"));
  f = lstm_file();
  f.tensor(f.op().inputs[0]).is_variable = true;
  EXPECT_THAT(refusal(f), HasSubstr("tensor 0 \"x\" keeps its value between runs"));
}

}  // namespace
}  // namespace presil::import
