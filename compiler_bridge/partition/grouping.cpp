#include "compiler_bridge/partition/grouping.h"

#include <algorithm>
#include <stdexcept>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/ir/count.h"
#include "compiler_bridge/partition/dla_layer.h"
#include "compiler_bridge/partition/host_layer.h"
#include "compiler_bridge/partition/product.h"
#include "compiler_bridge/partition/shared_bytes.h"
#include "rtl/soc/refusal.h"

namespace presil::partition {
namespace {

using K = ir::OpKind;
using rules::Engine;

class Grouper {
 public:
  Grouper(ir::Graph& graph, const DlaConfig& dla, const Limits& limits)
      : m_graph(graph),
        m_limits(limits),
        m_uses(ir::uses(graph)),
        m_bytes(graph, m_uses, m.engine),
        m_lanes(static_cast<int>(dla.macs_c)) {
    m.group_of.assign(graph.ops.size(), -1);
    for (int i = 0; i < static_cast<int>(graph.ops.size()); ++i) choose_engine(i, dla);
  }

  Grouping run() {
    const auto for_each = [&](auto step) {
      for (int i = 0; i < static_cast<int>(m_graph.ops.size()); ++i) {
        if (m.group_of[static_cast<size_t>(i)] >= 0) continue;
        common::scales_of(op(i), [&] { step(i); });
      }
    };
    // In the order of the post-processing: what accumulates, tables behind it, element-wise behind
    // those, doubling last; then what needs no command and what the host does.
    for_each([&](int i) { start_accumulating(i); });
    for_each([&](int i) { place_table(i); });
    for_each([&](int i) { place_elementwise(i); });
    for_each([&](int i) { place_doubling(i); });
    for_each([&](int i) { place_view(i); });
    for_each([&](int i) { place_interleave(i); });
    for_each([&](int i) { place_concat(i); });
    for_each([&](int i) { place_stack(i); });
    for_each([&](int i) { place_flip(i); });
    for_each([&](int i) { start(i, host_layer(m_graph, op(i))); });
    return std::move(m);
  }

 private:
  const ir::Op& op(int i) const { return m_graph.ops[static_cast<size_t>(i)]; }
  bool runs_on(int i, Engine engine) const { return m.engine[static_cast<size_t>(i)] == engine; }

  void choose_engine(int i, const DlaConfig& dla) {
    const ir::Op& op = this->op(i);
    const auto refusal = m_limits.not_on_dla.find(i);
    std::string objections;
    std::string all;
    for (const Engine engine : rules::kEngines) {
      rules::Verdict verdict = rules::take(engine, m_graph, op, dla);
      if (engine == Engine::kDla && refusal != m_limits.not_on_dla.end())
        verdict = {false, refusal->second};
      if (verdict.yes) {
        m.engine.push_back(engine);
        m.reason.push_back(objections);
        return;
      }
      all += (all.empty() ? "" : "; ") + verdict.sentence;
      // The first engine that knows the kind says why not; that nothing else is a view says
      // nothing.
      const bool telling = engine == Engine::kDla || op.kind == K::kReshape;
      if (telling && objections.empty()) objections = verdict.sentence;
    }
    throw Refusal("partition", std::string(ir::to_string(op.kind)) + " \"" + op.name +
                                   "\" runs nowhere: " + all);
  }

  int start(int i, decltype(plan::Layer::work) work) {
    const auto macs = static_cast<uint64_t>(ir::macs(m_graph, op(i)));
    m.groups.push_back({{i}, macs, std::move(work)});
    return m.group_of[static_cast<size_t>(i)] = static_cast<int>(m.groups.size()) - 1;
  }

  void join(int i, int group) {
    m.groups[static_cast<size_t>(group)].ops.push_back(i);
    m.groups[static_cast<size_t>(group)].macs += static_cast<uint64_t>(ir::macs(m_graph, op(i)));
    m.group_of[static_cast<size_t>(i)] = group;
  }

  void start_accumulating(int i) {
    if (!runs_on(i, Engine::kDla)) return;
    switch (op(i).kind) {
      case K::kConv2d:
        start(i, convolution(m_graph, op(i)));
        break;
      case K::kDepthwiseConv2d:
        start(i, depthwise(m_graph, op(i)));
        break;
      case K::kFullyConnected:
        if (m_graph.tensor(op(i).input(1)).is_constant()) {
          start_dense(i);
        } else {
          start(i, product(m_graph, op(i), op(i).input(0), op(i).input(1)));
        }
        break;
      case K::kBatchMatmul:
        start_product(i);
        break;
      case K::kAveragePool2d:
        start(i, average_pool(m_graph, op(i)));
        break;
      case K::kPad:
        start(i, pad(m_graph, op(i)));
        break;
      case K::kMean:
        start(i, mean(m_graph, op(i)));
        break;
      case K::kMaxPool2d:
        start(i, max_pool(m_graph, op(i)));
        break;
      default:
        break;
    }
  }

  // A reshape before it is what the layer does by itself: reading the image as it lies saves
  // bringing it into one row. A reshape that nobody else reads joins the layer.
  void start_dense(int i) {
    ir::TensorId x = op(i).input(0);
    std::vector<int> joined;
    for (;;) {
      const int producer = m_uses.producer[static_cast<size_t>(x)];
      if (producer < 0 || op(producer).kind != K::kReshape) break;
      const ir::TensorId behind = op(producer).input(0);
      if (m_graph.tensor(behind).is_constant()) break;
      if (!rules::dense_view(m_graph, op(i), m_graph.tensor(behind))) break;
      if (only_reader(x) >= 0) joined.push_back(producer);
      x = behind;
    }
    const auto view = rules::dense_view(m_graph, op(i), m_graph.tensor(x));
    const int group = start(i, dense(m_graph, op(i), x, *view));
    for (const int reshape : joined) join(reshape, group);
  }

  // The DLA multiplies rows of a with rows of b's transpose.
  void start_product(int i) {
    const auto& m = op(i).as<ir::BatchMatmul>();
    const ir::TensorId a = m.transpose_a ? transposed(op(i).input(0), i) : op(i).input(0);
    const ir::TensorId b = m.transpose_b ? op(i).input(1) : transposed(op(i).input(1), i);
    start(i, product(m_graph, op(i), a, b));
  }

  ir::TensorId transposed(ir::TensorId x, int reader) {
    const ir::TensorId y = add_transposed(m_graph, x);
    if (m_graph.tensor(y).is_constant()) return y;
    if (m_identity == ir::kAbsent) m_identity = add_identity(m_graph, m_lanes);
    m.groups.push_back({{reader}, 0, transposition(m_graph, x, y, m_identity)});
    return y;
  }

  /// The op that alone reads the tensor; -1: several, none, or it is an output.
  int only_reader(ir::TensorId id) const {
    if (m_graph.is_output(id)) return -1;
    const std::vector<int>& readers = m_uses.consumers[static_cast<size_t>(id)];
    return readers.size() == 1 ? readers.front() : -1;
  }

  /// The DLA group whose result is the tensor and can still be changed by op i; -1: none.
  int open_group(ir::TensorId id, int i) const {
    const int producer = m_uses.producer[static_cast<size_t>(id)];
    if (producer < 0 || only_reader(id) != i) return -1;
    const int group = m.group_of[static_cast<size_t>(producer)];
    if (group < 0) return -1;
    const plan::DlaLayer* layer = m.groups[static_cast<size_t>(group)].dla();
    return layer != nullptr && layer->output == id && !layer->upsample2 ? group : -1;
  }
  plan::DlaLayer& layer_of(int group) { return *m.groups[static_cast<size_t>(group)].dla(); }
  bool has_elementwise(int group) { return layer_of(group).ew.op != dla::EwOp::kNone; }

  void place_table(int i) {
    if (op(i).kind != K::kLut || !runs_on(i, Engine::kDla)) return;
    const int group = open_group(op(i).input(0), i);
    if (group >= 0 && layer_of(group).lut.empty() && !has_elementwise(group)) {
      append_table(layer_of(group), m_graph, op(i));
      join(i, group);
      return;
    }
    plan::DlaLayer layer = pass(m_graph, op(i).input(0), op(i).output());
    append_table(layer, m_graph, op(i));
    start(i, std::move(layer));
  }

  // Both operands may come from an open layer: the one with more work takes the op, for it hides
  // the second operand's read and the slower post-processing best; of equals the later.
  void place_elementwise(int i) {
    const bool elementwise =
        op(i).kind == K::kAdd || op(i).kind == K::kSub || op(i).kind == K::kMul;
    if (!elementwise || !runs_on(i, Engine::kDla)) return;
    int best = -1;
    size_t operand = 0;
    for (const size_t index : {size_t{0}, size_t{1}}) {
      const int group = m_limits.not_fused.count(i) != 0 ? -1 : open_group(op(i).input(index), i);
      if (group < 0 || has_elementwise(group) || op(i).input(0) == op(i).input(1) ||
          !rules::may_stream(m_graph, op(i), index)) {
        continue;
      }
      const auto weight = [&](int g) {
        return std::make_pair(m.groups[static_cast<size_t>(g)].macs, g);
      };
      if (best < 0 || weight(group) > weight(best)) best = group, operand = index;
    }
    if (best >= 0) {
      append_elementwise(layer_of(best), m_graph, op(i), operand);
      join(i, best);
      return;
    }
    const size_t streamed = rules::may_stream(m_graph, op(i), 0) ? 0 : 1;
    plan::DlaLayer layer = pass(m_graph, op(i).input(streamed), op(i).output());
    append_elementwise(layer, m_graph, op(i), streamed);
    start(i, std::move(layer));
  }

  void place_doubling(int i) {
    if (op(i).kind != K::kResizeNearest || !runs_on(i, Engine::kDla)) return;
    const int group = open_group(op(i).input(0), i);
    if (group >= 0) {
      append_doubling(layer_of(group), op(i));
      join(i, group);
      return;
    }
    plan::DlaLayer layer = pass(m_graph, op(i).input(0), op(i).output());
    append_doubling(layer, op(i));
    start(i, std::move(layer));
  }

  void place_view(int i) {
    if (!runs_on(i, Engine::kNone) || op(i).kind != K::kReshape) return;
    start(i, plan::ViewLayer{op(i).input(0), op(i).output()});
    m_bytes.put(op(i).output(), op(i).input(0), 0);
  }

  // An input is written in place by the DLA layer that makes it for this op alone; else a pass
  // copies it there.
  void place_interleave(int i) {
    if (op(i).kind != K::kInterleave || !runs_on(i, Engine::kDla)) return;
    const auto& a = op(i).as<ir::Interleave>();
    const int group = start(i, plan::InterleaveLayer{{}, op(i).output(), a.stride_h, a.stride_w});
    std::vector<ir::TensorId> parts;
    for (const ir::TensorId x : std::vector<ir::TensorId>(op(i).inputs)) {
      const bool in_place = only_reader(x) == i && written_in_place(x) && !is_interleaved(x);
      parts.push_back(in_place ? x : copy_into(x, i));
      m_joined.push_back(parts.back());
    }
    std::get<plan::InterleaveLayer>(m.groups[static_cast<size_t>(group)].work).inputs = parts;
  }

  bool is_interleaved(ir::TensorId x) const {
    const int group = group_that_makes(x);
    return group >= 0 &&
           std::holds_alternative<plan::InterleaveLayer>(m.groups[static_cast<size_t>(group)].work);
  }
  int group_that_makes(ir::TensorId x) const {
    const int producer = m_uses.producer[static_cast<size_t>(x)];
    return producer < 0 ? -1 : m.group_of[static_cast<size_t>(producer)];
  }

  // An input is written in place by the DLA layer that makes it, if it belongs to no other
  // concatenation; else a pass copies it there. (Passes have requantised it.)
  void place_concat(int i) {
    if (op(i).kind != K::kConcat || !runs_on(i, Engine::kDla)) return;
    if (rules::stacks(m_graph, op(i))) return;
    const int group = start(i, plan::ConcatLayer{{}, op(i).output()});
    std::vector<ir::TensorId> parts;
    for (const ir::TensorId x : std::vector<ir::TensorId>(op(i).inputs)) {
      parts.push_back(written_in_place(x) ? x : copy_into(x, i));
      m_joined.push_back(parts.back());
    }
    std::get<plan::ConcatLayer>(m.groups[static_cast<size_t>(group)].work).inputs = parts;
  }

  // An input is written in place by whoever makes it; else a pass of the DLA copies it there.
  void place_stack(int i) {
    if (op(i).kind != K::kConcat || !runs_on(i, Engine::kDla)) return;
    const ir::TensorId y = op(i).output();
    const int group = start(i, plan::StackLayer{{}, y});
    std::vector<ir::TensorId> parts;
    uint64_t at = 0;
    for (const ir::TensorId x : std::vector<ir::TensorId>(op(i).inputs)) {
      const bool in_place = made_here(x) && m_bytes.may_lie_in(x, y, at);
      parts.push_back(in_place ? x : copy_into(x, i));
      m_bytes.put(parts.back(), y, at);
      at += m_graph.tensor(x).bytes();
    }
    std::get<plan::StackLayer>(m.groups[static_cast<size_t>(group)].work).inputs = parts;
  }

  /// A layer makes the tensor or what it is a view of: neither a flip nor the caller.
  bool made_here(ir::TensorId x) const {
    const int producer = m_uses.producer[static_cast<size_t>(m_bytes.holder(x))];
    return producer >= 0 &&
           (op(producer).kind != K::kQuantize || !runs_on(producer, Engine::kNone));
  }

  // Bytes are flipped where the DMA moves them anyhow: into the SRAM for layers of the DLA, or out
  // of it behind one. Else nobody moves them, and the host flips them.
  void place_flip(int i) {
    if (!runs_on(i, Engine::kNone) || op(i).kind != K::kQuantize) return;
    const bool in = m_graph.tensor(op(i).output()).dtype == ir::DType::kInt8;
    if (in ? only_dla_reads(op(i).output()) : dla_makes(op(i).input(0))) {
      start(i, plan::FlipLayer{op(i).input(0), op(i).output()});
      return;
    }
    m.engine[static_cast<size_t>(i)] = Engine::kHost;
    m.reason[static_cast<size_t>(i)] =
        in ? "its bytes are read by others than the dla" : "the dla does not make x";
  }

  /// The DLA's layers alone read the tensor, and not as a view.
  bool only_dla_reads(ir::TensorId id) const {
    if (m_graph.is_output(id)) return false;
    const std::vector<int>& readers = m_uses.consumers[static_cast<size_t>(id)];
    return !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](int reader) {
      const int group = m.group_of[static_cast<size_t>(reader)];
      if (group < 0) return false;
      const auto& work = m.groups[static_cast<size_t>(group)].work;
      const auto* dla = std::get_if<plan::DlaLayer>(&work);
      if (dla != nullptr) return dla->weights_from != id;
      return std::holds_alternative<plan::ConcatLayer>(work) ||
             std::holds_alternative<plan::InterleaveLayer>(work) ||
             std::holds_alternative<plan::StackLayer>(work);
    });
  }

  /// A layer of the DLA makes the tensor, or what it is a view of.
  bool dla_makes(ir::TensorId id) const {
    for (;;) {
      const int producer = m_uses.producer[static_cast<size_t>(id)];
      const int group = producer < 0 ? -1 : m.group_of[static_cast<size_t>(producer)];
      if (group < 0) return false;
      const auto& work = m.groups[static_cast<size_t>(group)].work;
      if (const auto* view = std::get_if<plan::ViewLayer>(&work)) {
        id = view->input;
        continue;
      }
      return std::holds_alternative<plan::DlaLayer>(work) ||
             std::holds_alternative<plan::ConcatLayer>(work) ||
             std::holds_alternative<plan::InterleaveLayer>(work);
    }
  }

  bool written_in_place(ir::TensorId x) const {
    if (m_graph.is_output(x)) return false;
    if (std::count(m_joined.begin(), m_joined.end(), x) != 0) return false;
    const int group = group_that_makes(x);
    if (group < 0) return false;
    return is_interleaved(x) || m.groups[static_cast<size_t>(group)].dla() != nullptr;
  }

  ir::TensorId copy_into(ir::TensorId x, int reader) {
    const ir::Quantization& to = m_graph.tensor(op(reader).output()).quantization;
    if (m_graph.tensor(x).quantization != to) {
      throw std::logic_error("partition: passes put no table in front of a concatenation");
    }
    ir::Tensor copy = m_graph.tensor(x);
    copy.name += "/copy";
    const ir::TensorId id = m_graph.add(std::move(copy));
    m.groups.push_back({{reader}, 0, pass(m_graph, x, id)});
    return id;
  }

  ir::Graph& m_graph;
  const Limits& m_limits;
  ir::Uses m_uses;  ///< of the graph as it came: appended tensors are the grouper's own
  Grouping m;
  SharedBytes m_bytes;
  std::vector<ir::TensorId> m_joined;     ///< written in place as parts of others
  int m_lanes;                            ///< of the DLA's array
  ir::TensorId m_identity = ir::kAbsent;  ///< a constant, once something is transposed
};

}  // namespace

Grouping group_ops(ir::Graph& graph, const DlaConfig& dla, const Limits& limits) {
  return Grouper(graph, dla, limits).run();
}

std::vector<ir::TensorId> reads(const Group& group) {
  if (const auto* layer = std::get_if<plan::DlaLayer>(&group.work)) {
    std::vector<ir::TensorId> all = {layer->input};
    if (layer->ew.operand != plan::kNoTensor) all.push_back(layer->ew.operand);
    if (layer->has_computed_weights()) all.push_back(layer->weights_from);
    return all;
  }
  if (const auto* layer = std::get_if<plan::HostLayer>(&group.work)) return layer->inputs;
  if (const auto* layer = std::get_if<plan::ViewLayer>(&group.work)) return {layer->input};
  if (const auto* layer = std::get_if<plan::FlipLayer>(&group.work)) return {layer->input};
  if (const auto* layer = std::get_if<plan::InterleaveLayer>(&group.work)) return layer->inputs;
  if (const auto* layer = std::get_if<plan::StackLayer>(&group.work)) return layer->inputs;
  return std::get<plan::ConcatLayer>(group.work).inputs;
}

std::vector<ir::TensorId> writes(const Group& group) {
  if (const auto* layer = std::get_if<plan::DlaLayer>(&group.work)) return {layer->output};
  if (const auto* layer = std::get_if<plan::HostLayer>(&group.work)) return layer->outputs;
  if (const auto* layer = std::get_if<plan::ViewLayer>(&group.work)) return {layer->output};
  if (const auto* layer = std::get_if<plan::FlipLayer>(&group.work)) return {layer->output};
  if (const auto* layer = std::get_if<plan::InterleaveLayer>(&group.work)) return {layer->output};
  if (const auto* layer = std::get_if<plan::StackLayer>(&group.work)) return {layer->output};
  return {std::get<plan::ConcatLayer>(group.work).output};
}

}  // namespace presil::partition
