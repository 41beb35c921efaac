// LSTMs in files: what becomes of the 24 inputs, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/import/tflite.h"
#include "models/base/refusal.h"
#include "tests/import/lstm_file.h"

namespace presil::import {
namespace {

using testing::HasSubstr;

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
  EXPECT_THAT(refusal(f), HasSubstr("its activation is number 1, must be tanh"));
  f = lstm_file();
  f.op().inputs[9] = f.op().inputs[12];
  EXPECT_THAT(refusal(f), HasSubstr("it has peepholes, must be a plain LSTM"));
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
  EXPECT_THAT(refusal(f), HasSubstr("it has 23 inputs, expected all 24, absent ones too"));
  f = lstm_file();
  f.tensor(f.op().inputs[0]).is_variable = true;
  EXPECT_THAT(refusal(f), HasSubstr("tensor 0 \"x\" keeps its value between runs"));
}

}  // namespace
}  // namespace presil::import
