// What host layers are put together from: attributes as bytes, constants of the compiler's own.
#pragma once

#include <cstring>

#include "compiler_bridge/ir/graph.h"

namespace presil::partition {

/// An attribute struct of driver/kernels/host as it is stored.
template <class T>
std::vector<uint8_t> bytes_of(const T& attributes) {
  std::vector<uint8_t> bytes(sizeof(T));
  std::memcpy(bytes.data(), &attributes, sizeof(T));
  return bytes;
}

/// Appends a constant; dtype is that of T.
template <class T>
ir::TensorId add_constant(ir::Graph& graph, const std::string& name, ir::DType dtype,
                          std::vector<int64_t> shape, const std::vector<T>& values) {
  ir::Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  ir::Tensor tensor;
  tensor.name = name;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return graph.add(std::move(tensor));
}

/// As the kernels count them: enum presil_numerics, presil_rule.
uint32_t numerics_of(const ir::Graph& graph);
/// Of a kernel with weights.
uint32_t rule_of(const ir::Graph& graph, const ir::Op& op);
bool is_int16(const ir::Graph& graph, ir::TensorId id);
/// The kernel for the type of the op's result.
uint32_t by_width(const ir::Graph& graph, const ir::Op& op, uint32_t int8, uint32_t int16);
int32_t zero_of(const ir::Graph& graph, ir::TensorId id);
/// Of a softmax under xnnpack: exponentials of every distance from a row's largest value.
std::vector<float> exponentials(const ir::Graph& graph, const ir::Op& op);
/// exp(step * d) in float32, d = 0..255.
std::vector<float> exponentials(float step);
/// x, weights, bias, multiplier, shift, as the kernels with weights take them.
std::vector<ir::TensorId> weighted_inputs(ir::Graph& graph, const ir::Op& op, int64_t channels);

}  // namespace presil::partition
