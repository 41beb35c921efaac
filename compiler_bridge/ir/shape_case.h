// What a shape rule sees, for the files that hold the rules.
#pragma once

#include <string>

#include "compiler_bridge/ir/shape.h"
#include "models/base/refusal.h"

namespace presil::ir::shapes {

/// One op with its input shapes at hand.
struct Case {
  const Graph& graph;
  const Op& op;

  const Shape& in(size_t i) const { return graph.tensor(op.inputs.at(i)).shape; }
  bool has(size_t i) const { return op.input(i) != kAbsent; }
  const Shape& stated() const { return graph.tensor(op.output()).shape; }
  void require(bool ok, const char* what) const {
    require(ok, [&] { return what; });
  }
  /// The sentence is put together only when it is said.
  template <class What>
  auto require(bool ok, const What& what) const -> decltype(what(), void()) {
    if (!ok) throw Refusal("ir", describe(graph, op) + ": " + what());
  }
  void require_rank(size_t i, size_t rank) const {
    require(in(i).size() == rank, [&] {
      return info(op.kind).inputs[i] + " is " + to_string(in(i)) + ", must have rank " +
             std::to_string(rank);
    });
  }
};

inline std::string text(int64_t value) {
  return std::to_string(value);
}

void require_bias(const Case& c, int64_t channels);
/// As in numpy.
Shape broadcast(const Case& c, const Shape& a, const Shape& b);

/// What a rule says: the shape of the one result, or those of all.
struct Shapes : std::vector<Shape> {
  Shapes(Shape one) { push_back(std::move(one)); }
  Shapes(std::vector<Shape> all) : std::vector<Shape>(std::move(all)) {}
};

// The rules that op_kinds.h names, each in shape_<family>.cpp.
#define X(Name, spelling, Attributes, inputs, outputs, rule, types) Shapes rule(const Case& c);
PRESIL_OP_KINDS(X)
#undef X

}  // namespace presil::ir::shapes
