// Functions of one int8 value, one after the other or joined by add, sub or mul, become one table.
//
//   before   s = lut(x, sigmoid)     after   y = lut(x, table)
//            y = mul(x, s)
//   and      y = mul(x, 3 / 16), z = lut(lut(x)), add(lut(x), lut(x)), sub(2, x)
//
// Why: SiLU and hard swish come from files as several operators, but are functions of one value;
// each of the 256 results is found by the operators' own integer steps, so one table holds them
// all, which a convolution looks up for nothing. Three rules, again and again, take whole trees:
// an operation of x, tables of x and constants of one value; a table of a table that nothing else
// reads. A tensor that others read stays, and what is computed from it starts there.
#include <set>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/passes/pair_table.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"
#include "compiler_bridge/passes/tabulate.h"

namespace presil::passes {
namespace {

/// table(x), and the ops between x and the result.
struct Function {
  ir::TensorId x = ir::kAbsent;
  Int8Table table{};
  std::vector<int> over;
};

class Fuser {
 public:
  explicit Fuser(ir::Graph& graph) : m_graph(graph), m_uses(ir::uses(graph)) {}

  int run() {
    int fused = 0;
    for (int more = -1; more != 0; fused += more) {
      more = 0;
      for (int i = 0; i < static_cast<int>(m_graph.ops.size()); ++i) {
        if (!m_gone.empty() && m_gone.count(i) != 0) continue;
        const auto function = function_of(op(i));
        if (!function) continue;
        replace(i, *function);
        ++more;
      }
    }
    int index = 0;
    auto& ops = m_graph.ops;
    const auto gone = [&](const ir::Op&) { return m_gone.count(index++) != 0; };
    ops.erase(std::remove_if(ops.begin(), ops.end(), gone), ops.end());
    return fused;
  }

 private:
  const ir::Op& op(int i) const { return m_graph.ops[static_cast<size_t>(i)]; }
  std::vector<int>& readers(ir::TensorId id) { return m_uses.consumers[static_cast<size_t>(id)]; }
  bool unread(ir::TensorId id) { return readers(id).empty() && !m_graph.is_output(id); }

  /// The table that makes the tensor; -1: something else does.
  int lut_after(ir::TensorId id) const {
    const int producer = m_uses.producer[static_cast<size_t>(id)];
    const bool lut = producer >= 0 && op(producer).kind == ir::OpKind::kLut;
    return lut && m_graph.tensor(op(producer).input(1)).is_constant() ? producer : -1;
  }
  Int8Table table_in(const ir::Op& lut) const {
    Int8Table table{};
    std::copy_n(m_graph.tensor(lut.input(1)).values<int8_t>(), table.size(), table.begin());
    return table;
  }

  std::optional<Function> function_of(const ir::Op& op) {
    if (op.kind == ir::OpKind::kLut) return table_of_table(op);
    if (!is_pair(op.kind) || op.inputs.size() != 2) return std::nullopt;
    for (const ir::TensorId root : roots(op)) {
      if (m_graph.tensor(root).shape != m_graph.tensor(op.output()).shape) continue;
      Function function{root, {}, {}};
      const auto a = operand(op.input(0), function), b = operand(op.input(1), function);
      if (!a || !b) continue;
      const auto table = pair_table(m_graph, op, *a, *b);
      if (!table) continue;
      function.table = *table;
      return function;
    }
    return std::nullopt;
  }

  std::optional<Function> table_of_table(const ir::Op& outer) {
    const int inner = lut_after(outer.input(0));
    if (inner < 0 || lut_after(outer.output()) < 0) return std::nullopt;
    if (readers(outer.input(0)).size() != 1 || m_graph.is_output(outer.input(0))) return {};
    const Int8Table first = table_in(op(inner)), second = table_in(outer);
    Function function{op(inner).input(0), {}, {inner}};
    for (size_t q = 0; q < first.size(); ++q) {
      function.table[q] = second[static_cast<uint8_t>(first[q])];
    }
    return function;
  }

  /// What both operands may be functions of: themselves, or what their tables read.
  std::vector<ir::TensorId> roots(const ir::Op& op) const {
    std::vector<ir::TensorId> roots;
    for (const ir::TensorId x : op.inputs) {
      if (!m_graph.tensor(x).is_constant()) roots.push_back(x);
    }
    for (const ir::TensorId x : op.inputs) {
      if (const int lut = lut_after(x); lut >= 0) roots.push_back(this->op(lut).input(0));
    }
    return roots;
  }

  /// The operand's values by those of the function's x.
  std::optional<Int8Table> operand(ir::TensorId id, Function& function) const {
    if (m_graph.tensor(id).is_constant()) return uniform_table(m_graph.tensor(id));
    if (id == function.x) return tabulate([](int q) { return q; });
    const int lut = lut_after(id);
    if (lut < 0 || op(lut).input(0) != function.x) return std::nullopt;
    function.over.push_back(lut);
    return table_in(op(lut));
  }

  void replace(int i, const Function& function) {
    become_table(m_graph, m_uses, i, function.x, function.table);
    ir::Op& op = m_graph.ops[static_cast<size_t>(i)];
    for (const int lut : function.over) {
      const ir::Op& passed = this->op(lut);
      if (m_gone.count(lut) != 0 || !unread(passed.output())) continue;
      absorb_source_ops(op, passed);
      unhook(m_graph, m_uses, lut);
      m_gone.insert(lut);
    }
  }

  ir::Graph& m_graph;
  ir::Uses m_uses;
  std::set<int> m_gone;  ///< tables without readers
};

}  // namespace

int fuse_tables(ir::Graph& graph) {
  return Fuser(graph).run();
}

}  // namespace presil::passes
