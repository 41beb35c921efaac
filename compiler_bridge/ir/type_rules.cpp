// Asks the rule that op_kinds.h names.
#include "compiler_bridge/ir/type_rules.h"

#include "compiler_bridge/ir/type_case.h"

namespace presil::ir {

void check_types(const Graph& graph, const Op& op) {
  const types::Case c{graph, op};
  switch (op.kind) {
#define X(Name, spelling, Attributes, inputs, outputs, shape, rule) \
  case OpKind::k##Name:                                             \
    return types::rule(c);
    PRESIL_OP_KINDS(X)
#undef X
  }
}

}  // namespace presil::ir
