// Ops that leave their input as it is disappear.
//
//   before   y = reshape(x)  [1,64] -> [1,64]     after   z = fully_connected(x, ...)
//            z = fully_connected(y, ...)
//   and      z = reshape(reshape(x))              z = reshape(x)
//
// Why: exporters leave reshapes, and requantisations to the same type; each would be a copy.
// An identity between an input and an output of the graph stays: two names need two tensors.
#include <numeric>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rescale_power.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

bool all_equal(const std::vector<int64_t>& values, int64_t value) {
  return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == value; });
}

// Same type, shape and meaning on both sides; what is left is whether the op moves values.
bool leaves_values(const ir::Op& op) {
  switch (op.kind) {
    case ir::OpKind::kReshape:
    case ir::OpKind::kQuantize:
    case ir::OpKind::kResizeNearest:
    case ir::OpKind::kTile:
    case ir::OpKind::kMirrorPad:
    case ir::OpKind::kSpaceToDepth:
    case ir::OpKind::kDepthToSpace:
    case ir::OpKind::kCast:
      return true;
    case ir::OpKind::kConcat:
      return op.inputs.size() == 1 && op.as<ir::Concat>().act == ir::Activation::kNone;
    case ir::OpKind::kPad:
      return all_equal(op.as<ir::Pad>().before, 0) && all_equal(op.as<ir::Pad>().after, 0);
    case ir::OpKind::kTranspose: {
      std::vector<int64_t> unchanged(op.as<ir::Transpose>().perm.size());
      std::iota(unchanged.begin(), unchanged.end(), 0);
      return op.as<ir::Transpose>().perm == unchanged;
    }
    case ir::OpKind::kStridedSlice:
      return all_equal(op.as<ir::StridedSlice>().begin, 0) &&
             all_equal(op.as<ir::StridedSlice>().step, 1);
    default:
      return false;
  }
}

bool keeps_numbers(const ir::Graph& graph, const ir::Op& rescale) {
  const auto& a = rescale.as<ir::Rescale>();
  return a.in_zero == a.out_zero && a.in_unsigned == a.out_unsigned &&
         power_of(graph, rescale) == 0;
}

bool is_identity(const ir::Graph& graph, const ir::Op& op) {
  if (op.inputs.empty() || op.outputs.size() != 1) return false;
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  return x.dtype == y.dtype && x.shape == y.shape && x.quantization == y.quantization &&
         (op.kind == ir::OpKind::kRescale ? keeps_numbers(graph, op) : leaves_values(op));
}

/// Rewrites in one walk; what is read instead of a tensor that has gone is known by then.
class Remover {
 public:
  explicit Remover(ir::Graph& graph)
      : m_graph(graph),
        m_read(graph.tensors.size()),
        m_producer(ir::uses(graph).producer),
        m_gone(graph.ops.size(), false) {
    std::iota(m_read.begin(), m_read.end(), 0);
  }

  int run() {
    int removed = 0;
    for (size_t i = 0; i < m_graph.ops.size(); ++i) {
      ir::Op& op = m_graph.ops[i];
      for (ir::TensorId& x : op.inputs) {
        if (x != ir::kAbsent) x = m_read[static_cast<size_t>(x)];
      }
      if (is_identity(m_graph, op)) {
        if (bypass(i)) ++removed;
      } else if (op.kind == ir::OpKind::kReshape) {
        removed += skip_reshape(op);
      }
    }
    erase_ops(m_graph, m_gone);
    return removed;
  }

 private:
  // x -> y goes; consumers of y read x. If y is an output, x's producer makes y instead.
  bool bypass(size_t i) {
    const ir::TensorId x = m_graph.ops[i].input(0), y = m_graph.ops[i].output();
    if (!m_graph.is_output(y)) {
      m_read[static_cast<size_t>(y)] = x;
      m_gone[i] = true;
      return true;
    }
    const int producer = m_producer[static_cast<size_t>(x)];
    if (producer < 0 || m_graph.is_output(x)) return false;
    ir::Op& maker = m_graph.ops[static_cast<size_t>(producer)];
    std::replace(maker.outputs.begin(), maker.outputs.end(), x, y);
    for (size_t j = static_cast<size_t>(producer); j < i; ++j) {  // once for an output
      std::vector<ir::TensorId>& inputs = m_graph.ops[j].inputs;
      std::replace(inputs.begin(), inputs.end(), x, y);
    }
    for (ir::TensorId& read : m_read) {
      if (read == x) read = y;
    }
    m_producer[static_cast<size_t>(y)] = producer;
    m_gone[i] = true;
    return true;
  }

  int skip_reshape(ir::Op& op) {
    const int producer = m_producer[static_cast<size_t>(op.input(0))];
    if (producer < 0) return 0;
    const ir::Op& before = m_graph.ops[static_cast<size_t>(producer)];
    if (before.kind != ir::OpKind::kReshape) return 0;
    op.inputs[0] = before.input(0);
    return 1;
  }

  ir::Graph& m_graph;
  std::vector<ir::TensorId> m_read;  ///< by tensor: what is read instead
  std::vector<int> m_producer;       ///< by tensor: index of an op
  std::vector<bool> m_gone;
};

}  // namespace

int remove_identity(ir::Graph& graph) {
  return Remover(graph).run();
}

}  // namespace presil::passes
