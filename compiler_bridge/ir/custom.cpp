// Operators that presil does not define: what the graph states of their results holds.
#include "compiler_bridge/ir/shape_case.h"
#include "compiler_bridge/ir/type_case.h"

namespace presil::ir {

shapes::Shapes shapes::custom(const Case& c) {
  std::vector<Shape> stated;
  for (const TensorId id : c.op.outputs) stated.push_back(c.graph.tensor(id).shape);
  return stated;
}

const char* const types::words::custom = "any to any";
void types::custom(const Case& c) {
  c.require(!c.op.as<Custom>().code.empty(), "its code is empty, must be the name of the operator");
}

}  // namespace presil::ir
