// The reference interpreter: runs a graph as imported, one operator after another, with the integer
// rules that graph.numerics names. It shares no code with models, kernels or compiler passes.
#pragma once

#include <functional>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::reference {

struct TensorValue {
  ir::DType dtype = ir::DType::kInt8;
  std::vector<int64_t> shape;
  ir::Bytes data;  ///< little-endian, dense

  bool operator==(const TensorValue& other) const {
    return dtype == other.dtype && shape == other.shape && data == other.data;
  }
};

/// What a custom operator computes, which the interpreter does not define: of the values of its
/// inputs one value for each result.
using CustomOperator = std::function<std::vector<TensorValue>(
    const ir::Graph& graph, const ir::Op& op, const std::vector<TensorValue>& inputs)>;

/// @param inputs one per graph input, in order; dtype and shape as the graph's
/// @return one per graph output, in order
/// Refuses (presil::Refusal) inputs that do not fit, operators it does not define for the types,
/// and custom ones that `custom` is not there for.
std::vector<TensorValue> run(const ir::Graph& graph, const std::vector<TensorValue>& inputs,
                             const CustomOperator& custom = {});

/// The same, and returns every tensor of the graph, indexed by TensorId (constants included).
std::vector<TensorValue> run_all(const ir::Graph& graph, const std::vector<TensorValue>& inputs,
                                 const CustomOperator& custom = {});

}  // namespace presil::reference
