// Text in, text out; and the reference interpreter before and after, under both rule sets.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>

#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/passes/pass.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/reference/reference.h"

namespace presil::passes {

inline std::vector<reference::TensorValue> random_inputs(const ir::Graph& graph, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<reference::TensorValue> inputs;
  for (const ir::TensorId id : graph.inputs) {
    const ir::Tensor& tensor = graph.tensor(id);
    reference::TensorValue value{tensor.dtype, tensor.shape, ir::Bytes(tensor.bytes())};
    for (uint8_t& byte : value.data) byte = static_cast<uint8_t>(random());
    inputs.push_back(std::move(value));
  }
  return inputs;
}

/// The text with the first `from`, which is there, as `to`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("no \"" + from + "\" in the text");
  return text.replace(at, from.size(), to);
}

/// The promise of pass.h: what is still made has its id, its type and its value.
inline void expect_same_values(const ir::Graph& before, const ir::Graph& after) {
  ASSERT_NO_THROW(ir::verify(after));
  EXPECT_EQ(after.inputs, before.inputs);
  EXPECT_EQ(after.outputs, before.outputs);
  const auto inputs = random_inputs(before, 5);
  const auto expected = reference::run_all(before, inputs);
  const auto got = reference::run_all(after, inputs);
  for (size_t id = 0; id < before.tensors.size(); ++id) {
    const ir::Tensor &old_tensor = before.tensors[id], &new_tensor = after.tensors.at(id);
    EXPECT_EQ(ir::type_of(new_tensor), ir::type_of(old_tensor));
    if (after.producer(static_cast<ir::TensorId>(id)) < 0) continue;
    EXPECT_EQ(got[id].data, expected[id].data) << new_tensor.name;
  }
}

/// Runs one pass under both rule sets: `rewrites` of it, same values, and nothing left to do.
inline ir::Graph rewritten(int (*pass)(ir::Graph&), const std::string& text, int rewrites) {
  ir::Graph result;
  for (const ir::Numerics numerics : {ir::Numerics::kXnnpack, ir::Numerics::kTflite}) {
    SCOPED_TRACE(ir::to_string(numerics));
    ir::Graph before = ir::parse(text);
    before.numerics = numerics;
    ir::verify(before);
    result = before;
    EXPECT_EQ(pass(result), rewrites);
    if (rewrites == 0) {
      EXPECT_EQ(ir::print(result), ir::print(before));
    }
    expect_same_values(before, result);
    EXPECT_EQ(pass(result), 0) << "the second run still finds work";
  }
  return result;
}

/// The lines of ops, without types: "%4 = relu(%3)".
inline std::vector<std::string> op_lines(const ir::Graph& graph) {
  std::vector<std::string> lines;
  for (const ir::Op& op : graph.ops) {
    std::string line = std::string(ir::to_string(op.kind)) + "(";
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      line += (i == 0 ? "" : ", ") + graph.tensor(op.inputs[i]).name;
    }
    lines.push_back(graph.tensor(op.output()).name + " = " + line + ")");
  }
  return lines;
}

}  // namespace presil::passes
