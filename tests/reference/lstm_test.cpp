// An LSTM of one unit, step by step, against the real functions and against itself in pieces.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/values.h"

namespace presil::reference {
namespace {

/// One unit that sees x and its own state; all weights 1.0 (127 * 1/127), no biases.
ir::Graph one_unit(const std::string& steps, const std::string& attributes,
                   const std::string& state = "") {
  std::string text = "graph \"t\" tflite {\ninput %x : int8[1," + steps +
                     ",1] q(0.015625, 0)\nconst %w : int8[1,1] q(0.007874016, 0) = [127]\n"
                     "const %b : int32[1] = [0]\n";
  if (!state.empty()) {
    text += "input %h : int8[1,1] q(0.0078125, 0)\ninput %c : int16[1,1] q(0.00048828125, 0)\n";
  }
  text += "%y, %hl, %cl = lstm(%x, %w, %w, %w, %w, %w, %w, %w, %w, %b, %b, %b, %b" + state + ") " +
          attributes + " : int8[1," + steps +
          ",1] q(0.0078125, 0), int8[1,1] q(0.0078125, 0), int16[1,1] q(0.00048828125, 0)\n"
          "output %y, %hl, %cl }";
  return ir::parse(text);
}

double sigmoid(double v) {
  return 1 / (1 + std::exp(-v));
}

TEST(Lstm, follows_the_real_functions_to_the_steps_of_its_numbers) {
  const std::vector<int8_t> x = {64, 64, -128, 127, 0, 0, 100};
  const ir::Graph graph = one_unit("7", "");
  const auto outputs = run(graph, {value(graph.tensor(graph.inputs[0]), x)});
  const auto y = elements<int8_t>(outputs[0]);
  double h = 0, c = 0;
  for (size_t t = 0; t < x.size(); ++t) {
    const double v = x[t] / 64.0 + h;
    c = sigmoid(v) * c + sigmoid(v) * std::tanh(v);
    h = sigmoid(v) * std::tanh(c);
    EXPECT_NEAR(y[t] / 128.0, h, 1.5 / 128) << "step " << t;
  }
  EXPECT_EQ(elements<int8_t>(outputs[1]).at(0), y.back());
  EXPECT_NEAR(elements<int16_t>(outputs[2]).at(0) / 2048.0, c, 0.02);
}

TEST(Lstm, a_sequence_in_two_parts_is_the_sequence) {
  const std::vector<int8_t> x = {64, 30, -128, 127};
  const ir::Graph whole = one_unit("4", ""), part = one_unit("2", "", ", %h, %c");
  const auto all = run(whole, {value(whole.tensor(whole.inputs[0]), x)});
  const auto type = [&](size_t i) { return part.tensor(part.inputs[i]); };
  const auto first =
      run(part, {value(type(0), std::vector<int8_t>{64, 30}),
                 value(type(1), std::vector<int8_t>{0}), value(type(2), std::vector<int16_t>{0})});
  const auto second =
      run(part, {value(type(0), std::vector<int8_t>{-128, 127}), first[1], first[2]});
  EXPECT_EQ(elements<int8_t>(all[0])[3], elements<int8_t>(second[0])[1]);
  EXPECT_EQ(all[1], second[1]);
  EXPECT_EQ(all[2], second[2]);
}

TEST(Lstm, the_state_is_clipped) {
  const std::vector<int8_t> x(6, 127);
  const auto cell = [&](const std::string& attributes) {
    const ir::Graph graph = one_unit("6", attributes);
    return elements<int16_t>(run(graph, {value(graph.tensor(graph.inputs[0]), x)})[2]).at(0);
  };
  EXPECT_GT(cell(""), 4096);
  EXPECT_EQ(cell("{cell_clip=0.75}"), 1536);  // of 1/2048
}

}  // namespace
}  // namespace presil::reference
