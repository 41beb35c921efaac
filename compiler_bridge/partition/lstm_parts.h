// What an LSTM of int8 is to any engine's kernel: its scales, its table, the states before it.
#pragma once

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/partition/host_parts.h"
#include "driver/kernels/host/attributes.h"

namespace presil::partition {

constexpr size_t kLstmWeights = 1, kLstmRecurrent = 5, kLstmBias = 9;  ///< first of four inputs

presil_lstm_attributes lstm_attributes(const ir::Graph& graph, const ir::Op& op);

/// The points of sigmoid and tanh, int32 [256], a constant.
ir::TensorId sigmoid_points(ir::Graph& graph, const ir::Op& op);

/// The state before the first step; where the op has none, a constant of its zero point.
/// @param output  the state after the last step, which has the same type
template <class T>
ir::TensorId first_state(ir::Graph& graph, const ir::Op& op, size_t input, size_t output) {
  if (op.input(input) != ir::kAbsent) return op.input(input);
  const ir::Tensor last = graph.tensor(op.output(output));
  const auto zero = static_cast<T>(last.quantization.zero_point());
  return add_constant(graph, last.name + "/first", last.dtype, last.shape,
                      std::vector<T>(static_cast<size_t>(last.elements()), zero));
}

}  // namespace presil::partition
