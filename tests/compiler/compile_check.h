// Compiles a network for a SoC, runs the loadable without time in several orders, and compares
// every kept tensor and every output with the reference interpreter.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "compiler_bridge/compile/compile.h"
#include "compiler_bridge/reference/reference.h"
#include "tests/compiler/stream_runner.h"

namespace presil::tests {

inline std::vector<reference::TensorValue> random_values(const ir::Graph& graph, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<reference::TensorValue> values;
  for (const ir::TensorId id : graph.inputs) {
    const ir::Tensor& tensor = graph.tensor(id);
    reference::TensorValue value{tensor.dtype, tensor.shape, ir::Bytes(tensor.bytes())};
    for (uint8_t& byte : value.data) byte = static_cast<uint8_t>(random());
    values.push_back(std::move(value));
  }
  return values;
}

/// A host of hand-made prices, whatever the lists say: 100 cycles a task, 4 an element, and 8 bytes
/// a cycle.
inline HostConfig quick_host() {
  HostConfig host;
  host.cycles_call = 100;
  host.cycles_interrupt = 200;
  host.kernels = {{kOtherKernels, {0, 4, 0.125}}};
  return host;
}

struct CompileCheck {
  compile::Compiled compiled;
  int compared = 0;  ///< tensors, kept and outputs, in the first order
  double seconds = 0;
};

/// @param orders how many random orders of the queues to run
inline CompileCheck expect_compiled_exact(const ir::Graph& imported, const SocConfig& config,
                                          uint32_t orders = 3) {
  CompileCheck result;
  const auto start = std::chrono::steady_clock::now();
  result.compiled = compile::compile(imported, config);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto inputs = random_values(imported, 7);
  const auto expected = reference::run_all(imported, inputs);
  StreamRunner runner(result.compiled.loadable, config);
  for (uint32_t seed = 0; seed < orders; ++seed) {
    const std::string error = runner.run(imported, inputs, expected, seed, seed == 0);
    EXPECT_EQ(error, "") << "order " << seed << "\n" << result.compiled.stream_text;
    if (seed == 0) result.compared = runner.compared_tensors();
    if (!error.empty()) break;
  }
  return result;
}

}  // namespace presil::tests
