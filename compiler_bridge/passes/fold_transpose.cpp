// A transpose of the last two axes before a product of matrices becomes the product's own.
//
//   before   y = transpose(x){perm=[0,2,1]}                after   z = batch_matmul(a,
//   x){transpose_b}
//            z = batch_matmul(a, y)
//
// Why: the product reads either operand by rows or by columns; the transposed copy is never made.
// Except floats, whose transposed weights the DSP requires (transpose_weights).
#include <utility>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

bool swaps_last_two(const ir::Op& op) {
  if (op.kind != ir::OpKind::kTranspose) return false;
  std::vector<int64_t> perm = op.as<ir::Transpose>().perm;
  if (perm.size() < 2) return false;
  std::swap(perm[perm.size() - 2], perm[perm.size() - 1]);
  for (size_t i = 0; i < perm.size(); ++i) {
    if (perm[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

}  // namespace

int fold_transpose(ir::Graph& graph) {
  int folded = 0;
  const ir::Uses uses = ir::uses(graph);
  for (ir::Op& product : graph.ops) {
    if (product.kind != ir::OpKind::kBatchMatmul) continue;
    auto& m = product.as<ir::BatchMatmul>();
    for (const size_t operand : {size_t{0}, size_t{1}}) {
      const bool turned = operand == 1 && needs_transposed_weights(graph, product);
      while (!turned || m.transpose_b) {  // of two, one after the other, nothing is left
        const int producer = passes::producer(uses, product.input(operand));
        if (producer < 0 || !swaps_last_two(graph.ops[static_cast<size_t>(producer)])) break;
        const ir::Op& transpose = graph.ops[static_cast<size_t>(producer)];
        product.inputs[operand] = transpose.input(0);
        bool& transposed = operand == 0 ? m.transpose_a : m.transpose_b;
        transposed = !transposed;
        absorb_source_ops(product, transpose);
        ++folded;
      }
    }
  }
  return folded;  // a transpose without readers goes with remove_dead
}

}  // namespace presil::passes
