// What host layers are put together from: attributes as bytes, constants of the compiler's own.
#pragma once

#include <cstring>

#include "compiler_bridge/ir/graph.h"

namespace presil::partition {

/// An attribute struct of driver/kernels as it is stored.
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

}  // namespace presil::partition
