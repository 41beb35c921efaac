// Asks the rule that op_kinds.h names.
#include "compiler_bridge/ir/shape.h"

#include <stdexcept>

#include "compiler_bridge/ir/shape_case.h"

namespace presil::ir {
int64_t window_extent(int64_t in, int64_t kernel, int64_t stride, int64_t dilation, int64_t before,
                      int64_t after) {
  const int64_t room = before + in + after - ((kernel - 1) * dilation + 1);
  return room < 0 ? 0 : room / stride + 1;
}

std::vector<Shape> infer_shapes(const Graph& graph, const Op& op) {
  const shapes::Case c{graph, op};
  switch (op.kind) {
#define X(Name, spelling, Attributes, inputs, outputs, shape, types) \
  case OpKind::k##Name:                                              \
    return shapes::shape(c);
    PRESIL_OP_KINDS(X)
#undef X
  }
  throw std::logic_error("ir: verify lets a kind of op pass that does not exist");
}

}  // namespace presil::ir
