// The text form of a graph: one line per operator, readable, and read back to the identical graph.
// The grammar is in README.md.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::ir {

struct PrintOptions {
  /// true: every constant with its bytes, so that parse gives the same graph back. false: for
  /// people; constants of more than 16 elements as size and hash, which parse refuses, and of many
  /// scales the range and how many.
  bool payload = true;
  /// By tensor: shown instead of its own name, and the operators' names are left out. Empty: not
  /// so.
  std::vector<std::string> names = {};
};

/// A tensor's type as the text form writes it, with every scale; type_of is for people.
std::string exact_type_of(const Tensor& tensor);

std::string print(const Graph& graph, const PrintOptions& options = {});

/// Reads what print wrote, or what a person did. Does not verify.
/// Refuses (presil::Refusal) with line and column.
Graph parse(const std::string& text);

}  // namespace presil::ir
