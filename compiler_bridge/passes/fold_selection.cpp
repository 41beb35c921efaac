// A 1x1 convolution that only selects channels goes into the convolution before it, or into those
// after it.
//
//   before   c = conv2d(x, w)            after   y = conv2d(x, w'), filters in the order of y
//            y = conv2d(c, permutation)
//   and      y = conv2d(x, permutation)          z = conv2d(x, v'), v by channels of x
//            z = conv2d(y, v)
//
// Why: shuffles and slices of channels (permute_channels, slice_channels) then cost nothing. What
// was selected has the same bytes, so the sums are the same numbers in another order.
#include <algorithm>
#include <optional>
#include <set>

#include "compiler_bridge/passes/channel_map.h"
#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

using K = ir::OpKind;
using Map = std::vector<int64_t>;

constexpr int64_t kLanes = 16;

int64_t blocks(int64_t channels) {
  return (channels + kLanes - 1) / kLanes;
}

/// Of int8, one group, weights constant.
bool is_plain(const ir::Graph& graph, const ir::Op& op) {
  if (op.kind != K::kConv2d || op.as<ir::Conv2d>().groups != 1) return false;
  const ir::Tensor& w = graph.tensor(op.input(1));
  return w.is_constant() && w.dtype == ir::DType::kInt8 &&
         graph.tensor(op.input(0)).dtype == ir::DType::kInt8;
}

/// Elements of the first axis in the order of the map.
ir::TensorId selected(ir::Graph& graph, ir::TensorId constant, const Map& map) {
  ir::Tensor tensor = graph.tensor(constant);
  const size_t size = tensor.bytes() / static_cast<size_t>(tensor.shape[0]);
  ir::Bytes bytes(size * map.size());
  for (size_t i = 0; i < map.size(); ++i) {
    const uint8_t* from = tensor.data->data() + static_cast<size_t>(map[i]) * size;
    std::copy_n(from, size, bytes.data() + i * size);
  }
  tensor.name += "/selected";
  tensor.shape[0] = static_cast<int64_t>(map.size());
  ir::Quantization& q = tensor.quantization;
  if (q.axis == 0) {
    const ir::Quantization all = q;
    q.scales.clear(), q.zero_points.clear();
    for (const int64_t from : map) {
      q.scales.push_back(all.scales[static_cast<size_t>(from)]);
      q.zero_points.push_back(all.zero_points[static_cast<size_t>(from)]);
    }
  }
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return graph.add(std::move(tensor));
}

/// Filters over the channels that map's are of, of `channels`; at others they are 0.
ir::TensorId spread(ir::Graph& graph, ir::TensorId constant, const Map& map, int64_t channels) {
  ir::Tensor tensor = graph.tensor(constant);
  const size_t taps = tensor.bytes() / map.size();
  ir::Bytes bytes(taps * static_cast<size_t>(channels), 0);
  for (size_t tap = 0; tap < taps; ++tap) {
    for (size_t i = 0; i < map.size(); ++i) {
      bytes[tap * static_cast<size_t>(channels) + static_cast<size_t>(map[i])] =
          (*tensor.data)[tap * map.size() + i];
    }
  }
  tensor.name += "/spread";
  tensor.shape.back() = channels;
  tensor.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  return graph.add(std::move(tensor));
}

bool has_zero_points_of_0(const ir::Tensor& w) {
  const auto& zeros = w.quantization.zero_points;
  return std::all_of(zeros.begin(), zeros.end(), [](int32_t zero) { return zero == 0; });
}

class Folder {
 public:
  explicit Folder(ir::Graph& graph)
      : m_graph(graph), m_uses(ir::uses(graph)), m_gone(graph.ops.size(), false) {}

  int run() {
    int done = 0;
    for (size_t i = 0; i < m_graph.ops.size(); ++i) {
      const std::optional<Map> map = selection_of(m_graph, m_graph.ops[i]);
      if (map && !touched(i) && (before(i, *map) || after(i, *map))) ++done;
    }
    erase_ops(m_graph, m_gone);
    return done;
  }

 private:
  /// What stands around it has been rewritten in this walk: another one will look at it.
  bool touched(size_t i) const {
    const auto is = [&](int op) { return op >= 0 && m_changed.count(op) != 0; };
    const ir::Op& op = m_graph.ops[i];
    const std::vector<int>& readers = m_uses.consumers[size_t(op.output())];
    return is(static_cast<int>(i)) || is(producer(m_uses, op.input(0))) ||
           std::any_of(readers.begin(), readers.end(), is);
  }

  bool before(size_t i, const Map& map) {
    const ir::Op select = m_graph.ops[i];
    const int maker = producer(m_uses, select.input(0));
    if (maker < 0 || only_consumer(m_graph, m_uses, select.input(0)) < 0) return false;
    ir::Op conv = m_graph.ops[size_t(maker)];
    if (!is_plain(m_graph, conv)) return false;
    if (conv.input(2) != ir::kAbsent && !m_graph.tensor(conv.input(2)).is_constant()) return false;
    conv.inputs[1] = selected(m_graph, conv.input(1), map);
    if (conv.input(2) != ir::kAbsent) conv.inputs[2] = selected(m_graph, conv.input(2), map);
    conv.outputs = select.outputs;
    absorb_source_ops(conv, select);
    m_graph.ops[size_t(maker)] = std::move(conv);
    m_changed.insert(maker), m_changed.insert(static_cast<int>(i));
    m_gone[i] = true;
    return true;
  }

  bool after(size_t i, const Map& map) {
    const ir::Op select = m_graph.ops[i];
    const int64_t channels = m_graph.tensor(select.input(0)).shape.back();
    if (blocks(channels) != blocks(static_cast<int64_t>(map.size()))) return false;
    Map sorted = map;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return false;
    const std::vector<int> readers = m_uses.consumers[size_t(select.output())];
    if (readers.empty() || m_graph.is_output(select.output())) return false;
    for (const int reader : readers) {
      const ir::Op& op = m_graph.ops[size_t(reader)];
      if (!is_plain(m_graph, op) || op.input(0) != select.output() ||
          !has_zero_points_of_0(m_graph.tensor(op.input(1)))) {
        return false;
      }
    }
    for (const int reader : readers) {
      const ir::TensorId w = spread(m_graph, m_graph.ops[size_t(reader)].input(1), map, channels);
      ir::Op& op = m_graph.ops[size_t(reader)];
      op.inputs[0] = select.input(0), op.inputs[1] = w;
      absorb_source_ops(op, select);
      m_changed.insert(reader);
    }
    m_changed.insert(static_cast<int>(i));
    m_gone[i] = true;
    return true;
  }

  ir::Graph& m_graph;
  const ir::Uses m_uses;
  std::vector<bool> m_gone;
  std::set<int> m_changed;
};

}  // namespace

int fold_selection(ir::Graph& graph) {
  return Folder(graph).run();
}

}  // namespace presil::passes
