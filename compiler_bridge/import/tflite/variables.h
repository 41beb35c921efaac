// Resource variables: VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE and the CALL_ONCE that sets their
// first values. What a run reads of a variable before it assigns it is an input of the graph, what
// it leaves an output; both are a state (ir::State).
#pragma once

#include <functional>
#include <map>
#include <string>

#include "compiler_bridge/import/tflite/reader.h"

namespace presil::import {

bool is_of_variables(file::Builtin code);

class Variables {
 public:
  using Refuse = std::function<void(const std::string&)>;  ///< throws
  /// The tensor of the graph for one of the file.
  using Take = std::function<ir::TensorId(int32_t)>;

  Variables(const file::Model& model, Refuse refuse)
      : m_model(model), m_refuse(std::move(refuse)) {}

  /// One of the operators above. `called`: it, in a message.
  void convert(ir::Graph& graph, file::Builtin code, const file::Operator& op,
               const std::string& called, const Take& take);
  /// States of uint8 stay inside the graph, where they are int8. `is_unsigned`: by tensor.
  void keep_signed(std::vector<bool>& is_unsigned) const;
  /// After the last operator: states, inputs, outputs.
  void finish(ir::Graph& graph) const;
  /// Refuses subgraphs that no CALL_ONCE has named.
  void check_subgraphs() const;

 private:
  struct Variable {
    ir::TensorId before = ir::kAbsent;   ///< as the run finds it; kAbsent: it does not ask
    ir::TensorId current = ir::kAbsent;  ///< as the operators up to here leave it
  };

  Variable& of(const file::Operator& op, const std::string& called);
  /// The values that variables begin with, all of which must be 0.
  void begin(int32_t subgraph, const std::string& called);
  void check_zero(const file::SubGraph& graph, int32_t tensor, const std::string& called) const;

  const file::Model& m_model;
  Refuse m_refuse;
  std::map<int32_t, std::string> m_handles;  ///< names, by the tensor that holds the handle
  std::map<std::string, Variable> m_variables;
  std::map<int32_t, bool> m_begun;  ///< subgraphs that CALL_ONCE has named
};

}  // namespace presil::import
