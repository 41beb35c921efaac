// Graphs as text and values as numbers, for operator tests.
#pragma once

#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/reference/reference.h"

namespace presil::reference {

template <class T>
TensorValue value(const ir::Tensor& type, const std::vector<T>& elements) {
  TensorValue v{type.dtype, type.shape, ir::Bytes(elements.size() * sizeof(T))};
  std::memcpy(v.data.data(), elements.data(), v.data.size());
  return v;
}

template <class T>
std::vector<T> elements(const TensorValue& v) {
  std::vector<T> result(v.data.size() / sizeof(T));
  std::memcpy(result.data(), v.data.data(), v.data.size());
  return result;
}

using Ints = std::vector<int>;

/// Runs `lines` (which make %y) on int8 inputs; `types` are those of %x0, %x1 ...
inline Ints run_int8(const std::string& numerics, const std::vector<std::string>& types,
                     const std::string& lines, const std::vector<Ints>& inputs) {
  std::string text = "graph \"t\" " + numerics + " {\n";
  for (size_t i = 0; i < types.size(); ++i) {
    text += "input %x" + std::to_string(i) + " : " + types[i] + "\n";
  }
  const ir::Graph graph = ir::parse(text + lines + "\noutput %y }");
  std::vector<TensorValue> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<int8_t> bytes(inputs[i].begin(), inputs[i].end());
    values.push_back(value(graph.tensor(graph.inputs[i]), bytes));
  }
  const auto bytes = elements<int8_t>(run(graph, values).at(0));
  return Ints(bytes.begin(), bytes.end());
}

}  // namespace presil::reference
