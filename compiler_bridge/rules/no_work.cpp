// Ops that need no engine: the same bytes under another shape.
#include "compiler_bridge/rules/rule.h"

namespace presil::rules {
namespace {

bool contains(const std::vector<ir::TensorId>& ids, ir::TensorId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// Another op before this one that shows the same bytes as an output.
bool shown_before(const Subject& s) {
  for (const ir::Op& op : s.graph.ops) {
    if (op.output() == s.op.output()) return false;
    if (op.kind == s.op.kind && op.input(0) == s.op.input(0) && s.graph.is_output(op.output())) {
      return true;
    }
  }
  return false;
}

// Each input and each output of the graph is memory of the caller's, so y has bytes of its own if
// it is an output and x's bytes are an input or an output already.
Rule one_memory() {
  return {
      "at most one of x, y and other views of x is an input or output of the graph",
      [](const Subject& s) -> std::string {
        const ir::TensorId x = s.op.input(0), y = s.op.output();
        if (!s.graph.is_output(y)) return "";
        if (!contains(s.graph.inputs, x) && !s.graph.is_output(x) && !shown_before(s)) return "";
        return "y is an output of the graph and x's bytes are the caller's already, so they are "
               "copied";
      }};
}

}  // namespace

std::vector<Entry> no_work_entries() {
  return {{ir::OpKind::kReshape, "any", {computed(), one_memory()}}};
}

}  // namespace presil::rules
