#include "compiler_bridge/partition/grouping.h"

#include <algorithm>

#include "compiler_bridge/common/scales.h"
#include "compiler_bridge/ir/count.h"
#include "compiler_bridge/partition/dla_layer.h"
#include "compiler_bridge/partition/dsp_layer.h"
#include "compiler_bridge/partition/host_layer.h"
#include "compiler_bridge/partition/movement.h"
#include "compiler_bridge/partition/product.h"
#include "compiler_bridge/placement/explain.h"
#include "models/base/refusal.h"

namespace presil::partition {
namespace {

using K = ir::OpKind;
using rules::Engine;

class Grouper : Movement {
 public:
  Grouper(ir::Graph& graph, const SocConfig& soc, const Limits& limits, const UserKernels& kernels)
      : Movement(graph, static_cast<int>(soc.dla.macs_c)),
        m_soc(soc),
        m_limits(limits),
        m_kernels(kernels) {
    for (int i = 0; i < static_cast<int>(graph.ops.size()); ++i) choose_engine(i);
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
    for_each([&](int i) { place_slice(i); });
    for_each([&](int i) { place_interleave(i); });
    for_each([&](int i) { place_concat(i); });
    for_each([&](int i) { place_stack(i); });
    for_each([&](int i) { place_copy(i); });
    for_each([&](int i) {
      const auto slow = m_limits.not_on_dma.find(i);
      place_flip(i, slow == m_limits.not_on_dma.end() ? nullptr : &slow->second);
    });
    for_each([&](int i) {
      if (!runs_on(i, Engine::kDsp)) return;
      const bool custom = op(i).kind == K::kCustom;
      start(i, custom ? user_layer(m_graph, op(i), m_kernels.at(op(i).output()))
                      : dsp_layer(m_graph, op(i)));
    });
    for_each([&](int i) { start(i, host_layer(m_graph, op(i))); });
    return std::move(m);
  }

 private:
  void choose_engine(int i) {
    const ir::Op& op = this->op(i);
    std::vector<rules::Verdict> told, all;
    for (const Engine engine : rules::kEngines) {
      if (!rules::has(m_soc, engine)) continue;
      rules::Verdict verdict = rules::take(engine, m_graph, op, m_soc);
      const rules::Verdict* learnt = learnt_of(engine, i);
      if (learnt != nullptr) verdict = *learnt;
      if (verdict.yes()) {
        m.engine.push_back(engine);
        m.verdicts.push_back(std::move(told));
        return;
      }
      const bool known = verdict.kind != rules::Verdict::Kind::kUnknown;
      if (engine != Engine::kNone || known) all.push_back(verdict);
      // The first engine that knows the kind says why not; that nothing else is a view says
      // nothing. A custom op is here because the DSP has a kernel for it.
      const bool telling =
          op.kind == K::kReshape || (engine == Engine::kDla && op.kind != K::kCustom);
      const bool would = learnt != nullptr && engine != Engine::kDla;
      const bool near = engine == Engine::kDsp && !verdict.remedy.empty();
      if ((telling && told.empty()) || would || near) told.push_back(std::move(verdict));
    }
    throw Refusal("partition", std::string(ir::to_string(op.kind)) + " \"" + op.name +
                                   "\" runs nowhere: " + placement::lines(all));
  }

  /// What was learnt of an engine that its rules do not know; null: nothing.
  const rules::Verdict* learnt_of(Engine engine, int i) const {
    static const std::map<int, rules::Verdict> kNothing;
    const auto& limits = engine == Engine::kDla   ? m_limits.not_on_dla
                         : engine == Engine::kDma ? m_limits.not_on_dma
                         : engine == Engine::kDsp ? m_limits.not_on_dsp
                                                  : kNothing;
    const auto found = limits.find(i);
    return found == limits.end() ? nullptr : &found->second;
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
      case K::kSum:
        start(i, mean(m_graph, op(i)));
        break;
      case K::kReduceMax:
        start(i, largest(m_graph, op(i)));
        break;
      case K::kMaxPool2d:
        start(i, max_pool(m_graph, op(i)));
        break;
      case K::kTranspose:
        start_transpose(i);
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

  /// The DLA group whose result is the tensor and can still be changed by op i; -1: none.
  int open_group(ir::TensorId id, int i) const {
    const int producer = m_uses.producer[static_cast<size_t>(id)];
    if (producer < 0 || only_reader(id) != i) return -1;
    const int group = m.group_of[static_cast<size_t>(producer)];
    if (group < 0) return -1;
    const layer::DlaLayer* layer = m.groups[static_cast<size_t>(group)].dla();
    return layer != nullptr && layer->output == id && !layer->upsample2 ? group : -1;
  }
  layer::DlaLayer& layer_of(int group) { return *m.groups[static_cast<size_t>(group)].dla(); }
  bool has_elementwise(int group) { return layer_of(group).ew.op != dla::EwOp::kNone; }

  void place_table(int i) {
    if (op(i).kind != K::kLut || !runs_on(i, Engine::kDla)) return;
    const int group = open_group(op(i).input(0), i);
    if (group >= 0 && layer_of(group).lut.empty() && !has_elementwise(group)) {
      append_table(layer_of(group), m_graph, op(i));
      join(i, group);
      return;
    }
    layer::DlaLayer layer = pass(m_graph, op(i).input(0), op(i).output());
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
    layer::DlaLayer layer = pass(m_graph, op(i).input(streamed), op(i).output());
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
    layer::DlaLayer layer = pass(m_graph, op(i).input(0), op(i).output());
    append_doubling(layer, op(i));
    start(i, std::move(layer));
  }

  const SocConfig& m_soc;
  const Limits& m_limits;
  const UserKernels& m_kernels;
};

}  // namespace

Grouping group_ops(ir::Graph& graph, const SocConfig& soc, const Limits& limits,
                   const UserKernels& kernels) {
  return Grouper(graph, soc, limits, kernels).run();
}

}  // namespace presil::partition
