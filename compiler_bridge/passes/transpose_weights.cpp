// Weights of floats that the graph computes are transposed, so that those of neighbouring results
// lie side by side.
//
//   before   y = fully_connected(x, w)    x [99,64], w [30,64]      after   t = transpose(w)
//            y = batch_matmul(x, w){transpose_b}                            y = batch_matmul(x, t)
//
// Why: the DSP computes neighbouring results side by side and loads weights that lie apart one a
// cycle, else 16; transposing them costs a cycle for each, once for all rows of x. A transpose that
// has made them cancels (compose_transposes).
#include <utility>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;

/// Where the host has to do it, it is a sixteenth of the product.
constexpr int64_t kLeastRows = 16;

bool is_plain(const ir::Op& op) {
  return op.input(2) == ir::kAbsent && op.as<ir::FullyConnected>().act == ir::Activation::kNone;
}

/// A product whose weights lie apart.
bool reads_apart(const ir::Op& op) {
  if (op.kind == K::kFullyConnected) return is_plain(op);
  return op.kind == K::kBatchMatmul && op.as<ir::BatchMatmul>().transpose_b;
}

/// y's shape with as many columns as x has.
std::vector<int64_t> rows_of(const ir::Tensor& y, int64_t columns) {
  std::vector<int64_t> shape = y.shape;
  shape.back() = columns;
  return shape;
}

}  // namespace

bool needs_transposed_weights(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &y = graph.tensor(op.output()), &w = graph.tensor(op.input(1));
  if (y.dtype != ir::DType::kFloat32 || w.dtype != ir::DType::kFloat32) return false;
  if (w.is_constant() || w.shape.size() < 2 || y.shape.size() < 2) return false;
  const int64_t rows =
      op.kind == K::kFullyConnected ? y.elements() / y.shape.back() : y.shape[y.shape.size() - 2];
  return rows >= kLeastRows;
}

int transpose_weights(ir::Graph& graph) {
  int done = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    if (!reads_apart(graph.ops[i]) || !needs_transposed_weights(graph, graph.ops[i])) continue;
    ir::Op op = graph.ops[i];
    const auto before = [&](ir::Op made) {
      graph.ops.insert(graph.ops.begin() + static_cast<std::ptrdiff_t>(i++), std::move(made));
    };
    ir::Tensor turned = graph.tensor(op.input(1));
    const size_t rank = turned.shape.size();
    std::swap(turned.shape[rank - 2], turned.shape[rank - 1]);
    turned.name = graph.tensor(op.output()).name + "/weights";
    ir::Transpose axes;
    for (size_t axis = 0; axis < rank; ++axis) axes.perm.push_back(static_cast<int64_t>(axis));
    std::swap(axes.perm[rank - 2], axes.perm[rank - 1]);
    const ir::TensorId t = graph.add(std::move(turned));
    before({K::kTranspose, op.name, {op.input(1)}, {t}, axes, op.source_ops});
    op.inputs[1] = t;
    if (op.kind == K::kFullyConnected) {
      ir::Tensor x = graph.tensor(op.input(0));
      const auto shape = rows_of(graph.tensor(op.output()), graph.tensor(t).shape[rank - 2]);
      if (x.shape != shape) {
        x.shape = shape;
        x.data = nullptr;
        x.name = graph.tensor(op.output()).name + "/rows";
        const ir::TensorId rows = graph.add(std::move(x));
        before({K::kReshape, op.name, {op.input(0)}, {rows}, ir::None{}, op.source_ops});
        op.inputs[0] = rows;
      }
      op.kind = K::kBatchMatmul;
      op.attributes = ir::BatchMatmul{};
      op.inputs.resize(2);
    }
    op.as<ir::BatchMatmul>().transpose_b = false;
    graph.ops[i] = std::move(op);
    ++done;
  }
  return done;
}

}  // namespace presil::passes
