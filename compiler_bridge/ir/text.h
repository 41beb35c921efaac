// The text form of a graph: one line per operator, readable, and read back to the identical graph.
// The grammar is in README.md.
#pragma once

#include <string>

#include "compiler_bridge/ir/graph.h"

namespace presil::ir {

struct PrintOptions {
  /// true: every constant with its bytes, so that parse gives the same graph back. false: constants
  /// of more than 16 elements as size and hash, for people; parse refuses those.
  bool payload = true;
};

std::string print(const Graph& graph, const PrintOptions& options = {});

/// Reads what print wrote, or what a person did. Does not verify.
/// Refuses (presil::Refusal) with line and column.
Graph parse(const std::string& text);

}  // namespace presil::ir
