// What is computed of one tensor of bytes, value by value and through any types, becomes one table.
//
//   before   f = dequantize(x)              after   y = lut(x, table)
//            e = elu(f)
//            y = quantize(e)
//   and      y = quantize(mul(sub(cast(x), 127.5), 0.0078)), x * relu6(x + 3) / 6 in floats, ..
//
// Why: converters leave functions that they have no integer form for in floats, between a
// dequantize and a quantize; each element costs conversions and the function, where a table costs
// nothing after a convolution. A byte has 256 values: the reference interpreter runs the operators
// on all of them, so the table holds what they define, whatever they are. The largest region is
// taken: from the result back to the first byte tensor that all of it is a function of. Tensors
// that others read stay; if it is one of bytes, the region begins there. Functions of int16 are not
// tables of their values here: their own operators interpolate where they are defined so.
#include <cstring>
#include <numeric>

#include "compiler_bridge/passes/function_region.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"
#include "compiler_bridge/reference/reference.h"

namespace presil::passes {
namespace {

/// The region as a graph of its own, of all values of its source. Constants are one element.
ir::Graph of_all_values(const ir::Graph& graph, const std::set<int>& region, ir::TensorId source,
                        ir::TensorId result) {
  ir::Graph small;
  small.name = graph.name, small.numerics = graph.numerics;
  std::vector<ir::TensorId> from, to;
  const auto moved = [&](ir::TensorId id, bool whole) {
    const auto found = std::find(from.begin(), from.end(), id);
    if (found != from.end()) return to[static_cast<size_t>(found - from.begin())];
    ir::Tensor tensor = graph.tensor(id);
    if (!tensor.is_constant()) tensor.shape = {256};
    if (tensor.is_constant() && !whole) {
      const auto begin = tensor.data->begin();
      const auto element = static_cast<ir::Bytes::difference_type>(ir::size_of(tensor.dtype));
      tensor.shape = {1};
      tensor.data = std::make_shared<const ir::Bytes>(begin, begin + element);
    }
    from.push_back(id);
    to.push_back(small.add(std::move(tensor)));
    return to.back();
  };
  small.inputs = {moved(source, false)};
  for (const int i : region) {
    ir::Op op = graph.ops[static_cast<size_t>(i)];
    for (size_t k = 0; k < op.inputs.size(); ++k) {
      op.inputs[k] = moved(op.inputs[k], op.kind == ir::OpKind::kLut && k == 1);
    }
    op.outputs = {moved(op.output(), false)};
    small.add(std::move(op));
  }
  small.outputs = {moved(result, false)};
  return small;
}

class Folder {
 public:
  explicit Folder(ir::Graph& graph)
      : m_graph(graph), m_uses(ir::uses(graph)), m_dominators(graph), m_gone(graph.ops.size()) {}

  int run() {
    int folded = 0;
    // From the last result on: what is computed on its way goes with it.
    for (int i = static_cast<int>(m_graph.ops.size()) - 1; i >= 0; --i) {
      if (m_gone[static_cast<size_t>(i)] || op(i).outputs.size() != 1) continue;
      if (is_plain_byte(m_graph.tensor(op(i).output())) && fold(i)) ++folded;
    }
    erase_ops(m_graph, m_gone);
    return folded;
  }

 private:
  const ir::Op& op(int i) const { return m_graph.ops[static_cast<size_t>(i)]; }
  std::vector<int>& readers(ir::TensorId id) { return m_uses.consumers[static_cast<size_t>(id)]; }

  bool fold(int last) {
    const ir::TensorId result = op(last).output();
    const ir::TensorId source = source_of(last);
    if (source == ir::kAbsent) return false;
    const std::set<int> region = region_between(m_graph, m_uses, source, last);
    if (region.size() == 1 && op(last).kind == ir::OpKind::kLut) return false;
    const Int8Table table = evaluated(region, source, result);
    become_table(m_graph, m_uses, last, source, table);
    ir::Op& op = m_graph.ops[static_cast<size_t>(last)];
    for (auto i = region.rbegin(); i != region.rend(); ++i) {
      const ir::Op& passed = this->op(*i);
      if (*i == last || !readers(passed.output()).empty() || m_graph.is_output(passed.output())) {
        continue;
      }
      absorb_source_ops(op, passed);
      unhook(m_graph, m_uses, *i);
      m_gone[static_cast<size_t>(*i)] = true;
    }
    return true;
  }

  /// The first byte tensor that the result is a function of; nearer where one between is read by
  /// others too.
  ir::TensorId source_of(int last) {
    ir::TensorId source = ir::kAbsent;
    for (ir::TensorId x = m_dominators.of(op(last).output()); x != ir::kAbsent;
         x = m_dominators.of(x)) {
      if (!is_plain_byte(m_graph.tensor(x))) continue;
      source = x;
      if (m_graph.is_output(x)) break;
      const std::set<int> region = region_between(m_graph, m_uses, x, last);
      const std::vector<int>& all = readers(x);
      if (!std::all_of(all.begin(), all.end(), [&](int i) { return region.count(i) != 0; })) break;
    }
    return source;
  }

  Int8Table evaluated(const std::set<int>& region, ir::TensorId source, ir::TensorId result) const {
    const ir::Graph small = of_all_values(m_graph, region, source, result);
    reference::TensorValue all{small.tensor(small.inputs[0]).dtype, {256}, ir::Bytes(256)};
    std::iota(all.data.begin(), all.data.end(), uint8_t{0});
    Int8Table table{};
    const reference::TensorValue y = std::move(reference::run(small, {all}).at(0));
    std::memcpy(table.data(), y.data.data(), table.size());
    return table;
  }

  ir::Graph& m_graph;
  ir::Uses m_uses;
  Dominators m_dominators;
  std::vector<bool> m_gone;
};

}  // namespace

int fold_functions(ir::Graph& graph) {
  return Folder(graph).run();
}

}  // namespace presil::passes
