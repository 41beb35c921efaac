// What only moves the values of constants, or looks them up, is done by the compiler.
//
//   before   w = transpose(c){perm=[1,0]}        after   y = add(x, w), w a constant
//            y = add(x, w)
//
// Why: exporters leave constants in the layout of the framework that they come from; each
// would be moved again in every run. A product whose weights the graph computes may be rounded
// otherwise than one by a constant (`product_rule`): what decides that stays.
#include "compiler_bridge/common/moves.h"
#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

bool all_constant(const ir::Graph& graph, const ir::Op& op) {
  return !op.inputs.empty() && std::all_of(op.inputs.begin(), op.inputs.end(), [&](int32_t x) {
    return x != ir::kAbsent && graph.tensor(x).is_constant();
  });
}

/// Null: the op does more than move or look up.
std::shared_ptr<const ir::Bytes> folded(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor& y = graph.tensor(op.output());
  if (op.kind == ir::OpKind::kLut && y.dtype == ir::DType::kInt8) {
    const auto& table = *graph.tensor(op.input(1)).data;
    ir::Bytes bytes = *graph.tensor(op.input(0)).data;
    for (uint8_t& byte : bytes) byte = table[byte];
    return std::make_shared<const ir::Bytes>(std::move(bytes));
  }
  const std::vector<common::Move> moves = common::moves_of(graph, op);
  if (moves.empty()) return nullptr;
  std::vector<const ir::Bytes*> inputs;
  for (const ir::TensorId x : op.inputs) inputs.push_back(graph.tensor(x).data.get());
  return std::make_shared<const ir::Bytes>(common::moved(moves, inputs, y.bytes()));
}

std::vector<common::ProductRule> rules(const ir::Graph& graph, const std::vector<int>& products) {
  std::vector<common::ProductRule> all;
  for (const int i : products)
    all.push_back(common::product_rule(graph, graph.ops[static_cast<size_t>(i)]));
  return all;
}

bool is_product(ir::OpKind kind) {
  return kind == ir::OpKind::kFullyConnected || kind == ir::OpKind::kBatchMatmul;
}

}  // namespace

int fold_constants(ir::Graph& graph) {
  const ir::Uses uses = ir::uses(graph);
  std::vector<bool> gone(graph.ops.size(), false);
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    const ir::Op& op = graph.ops[i];
    if (op.outputs.size() != 1 || graph.is_output(op.output()) || !all_constant(graph, op)) {
      continue;
    }
    std::shared_ptr<const ir::Bytes> value = folded(graph, op);
    if (value == nullptr) continue;
    const std::vector<int>& readers = uses.consumers[static_cast<size_t>(op.output())];
    std::vector<int> products;
    std::copy_if(readers.begin(), readers.end(), std::back_inserter(products),
                 [&](int r) { return is_product(graph.ops[static_cast<size_t>(r)].kind); });
    const auto before = rules(graph, products);
    ir::Tensor& y = graph.tensor(op.output());
    y.data = std::move(value);
    if (rules(graph, products) != before) {
      y.data = nullptr;
      continue;
    }
    for (const int reader : readers) absorb_source_ops(graph.ops[static_cast<size_t>(reader)], op);
    gone[i] = true;
  }
  return erase_ops(graph, gone);
}

}  // namespace presil::passes
