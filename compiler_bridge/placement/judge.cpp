#include "compiler_bridge/placement/judge.h"

#include <algorithm>
#include <optional>
#include <set>

#include "compiler_bridge/dsp_image/dsp_image.h"
#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/layer/dsp_layer.h"
#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/partition/dsp_layer.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dsp_images.h"
#include "compiler_bridge/plan/dsp_plan.h"
#include "compiler_bridge/rules/rules.h"

namespace presil::placement {
namespace {

Verdict slower(Engine engine, Cycle cycles, Engine chosen, Cycle chosen_cycles) {
  Verdict verdict{engine, Verdict::Kind::kCost};
  verdict.cycles = cycles, verdict.chosen = chosen, verdict.chosen_cycles = chosen_cycles;
  return verdict;
}

/// What the DSP would take for an op that moves values; nullopt: it does not move them.
std::optional<Cycle> moved_by_dsp(ir::Graph& graph, int index, const SocConfig& config,
                                  const Decisions& decisions) {
  const ir::Op op = graph.ops[static_cast<size_t>(index)];
  if (decisions.limits.why_not_on(Engine::kDsp, index) != nullptr) return std::nullopt;
  if (op.kind == ir::OpKind::kQuantize) return std::nullopt;
  if (!rules::take(Engine::kDsp, graph, op, config).yes()) return std::nullopt;
  const layer::DspLayer layer = partition::dsp_layer(graph, op);
  if (layer.programs(&config.dsp).empty()) return std::nullopt;
  const plan::MovedOperands moved = plan::moved_operands(layer);
  if (plan::choose_dsp(layer, moved, config.sram.bytes, config).tiles == 0) return std::nullopt;
  return plan::dsp_cycles(layer, moved, config);
}

/// Tensors that no engine makes: inputs, constants, results of the host.
class OfHost {
 public:
  explicit OfHost(const ir::Graph& graph) : m_graph(graph) {
    m_made.insert(graph.inputs.begin(), graph.inputs.end());
  }
  void add(const layer::Layer& layer) {
    for (const layer::Operand& operand : layer.work.operands()) {
      if (operand.write) m_made.insert(operand.tensor);
    }
  }
  bool waits(const layer::DspLayer& layer) const {
    return std::any_of(layer.inputs.begin(), layer.inputs.end(), [&](const auto& input) {
      return !m_graph.tensor(input.tensor).is_constant() && m_made.count(input.tensor) == 0;
    });
  }

 private:
  const ir::Graph& m_graph;
  std::set<ir::TensorId> m_made;
};

/// Tensors of layers that stay where they are if the host computes what it can of the DSP's.
std::set<ir::TensorId> of_engines(const layer::Layers& layers) {
  std::set<ir::TensorId> tensors;
  for (const layer::Layer& layer : layers) {
    const auto* dsp = layer.work.as<layer::DspLayer>();
    if (layer.work.as<layer::HostLayer>() != nullptr) continue;
    if (dsp != nullptr && !dsp->host_kernel.empty()) continue;
    for (const layer::Operand& operand : layer.work.operands()) tensors.insert(operand.tensor);
  }
  return tensors;
}

/// Which operands need no transfer to the host or from it, the DSP's other layers there too.
plan::MovedOperands moved_together(const layer::DspLayer& layer, plan::MovedOperands moved,
                                   const std::set<ir::TensorId>& others) {
  auto operand = moved.begin();
  for (const auto* operands : {&layer.inputs, &layer.outputs}) {
    for (const layer::DspOperand& o : *operands) {
      if (others.count(o.tensor) == 0) *operand = true;
      ++operand;
    }
  }
  return moved;
}

/// Layers of the DSP that have one select among them.
struct Together {
  std::vector<int> ops;
  Cycle by_dsp = 0, by_host = 0;
  bool may_leave = true;

  void add(int op, Cycle dsp, Cycle host) {
    ops.push_back(op);
    by_dsp += dsp, by_host += host;
  }
  /// All of them, where the host is faster at them together.
  std::vector<Learnt> leave(Cycle select) const {
    std::vector<Learnt> learnt;
    if (!may_leave || ops.size() < 2 || by_dsp + select <= by_host) return learnt;
    Verdict verdict = slower(Engine::kDsp, by_dsp + select, Engine::kHost, by_host);
    verdict.rule = "an image select for " + std::to_string(ops.size()) + " layers";
    verdict.got = std::to_string(select);
    for (const int op : ops) learnt.push_back({op, verdict});
    return learnt;
  }
};

/// A convolution with something element-wise after it cannot make its sums in parts: the DLA has
/// one port for both. @return the op after it; -1: none
int fused_consumer(const layer::Layer& layer, const ir::Graph& graph) {
  const auto* dla = layer.work.as<layer::DlaLayer>();
  if (dla == nullptr || dla->op != dla::Op::kConv || dla->ew.op == dla::EwOp::kNone) return -1;
  for (const int op : layer.graph_ops) {
    const ir::OpKind kind = graph.ops[static_cast<size_t>(op)].kind;
    const bool element_wise =
        kind == ir::OpKind::kAdd || kind == ir::OpKind::kSub || kind == ir::OpKind::kMul;
    if (element_wise) return op;
  }
  return -1;
}

}  // namespace

std::vector<Learnt> unfit_programs(const Placed& placed, const SocConfig& config) {
  std::vector<Learnt> learnt;
  for (const layer::Layer& layer : placed.partition.layers) {
    const auto* dsp = layer.work.as<layer::DspLayer>();
    if (dsp == nullptr || !dsp->programs(&config.dsp).empty()) continue;
    const dsp_image::Image& image = *dsp->programs().front();
    Verdict unfit =
        verdict(Engine::kDsp, Verdict::Kind::kImage, *dsp_image::unfit(image, config.dsp));
    unfit.image = image.name;
    learnt.push_back({layer.graph_ops.front(), unfit});
  }
  return learnt;
}

std::vector<Learnt> slow_copies(const Placed& placed, const SocConfig& config, bool host,
                                const Decisions& decisions) {
  std::vector<Learnt> learnt;
  std::optional<ir::Graph> graph;  // lowering appends constants
  for (const layer::Layer& layer : placed.partition.layers) {
    const auto* copy = layer.work.as<layer::DmaLayer>();
    if (copy == nullptr) continue;
    if (!graph) graph = placed.graph;
    const int op = layer.graph_ops.front();
    const Cycle by_dma = plan::copy_cycles(*copy, *graph, config);
    const Cycle by_host = host ? plan::host_cycles(*copy, *graph, config) : by_dma;
    const Cycle by_dsp = moved_by_dsp(*graph, op, config, decisions).value_or(by_dma);
    if (by_dma <= std::min(by_host, by_dsp)) continue;
    int64_t row = copy->moves.front().bytes.row;
    for (const auto& move : copy->moves) row = std::min(row, move.bytes.row);
    Verdict verdict = slower(Engine::kDma, by_dma, by_dsp < by_host ? Engine::kDsp : Engine::kHost,
                             std::min(by_host, by_dsp));
    verdict.rule = "bytes in a row", verdict.got = std::to_string(row);
    learnt.push_back({op, verdict});
  }
  return learnt;
}

std::vector<Learnt> slow_on_dsp(const Placed& placed, const SocConfig& config) {
  std::vector<Learnt> learnt;
  const plan::Layout& layout = placed.layout;
  const auto images = plan::choose_images(layout, config.dsp);
  Together all;
  const std::set<ir::TensorId> others = of_engines(placed.partition.layers);
  OfHost made(placed.graph), together(placed.graph);  // the latter if it computes all of them
  for (int step = 0; step < layout.step_count(); ++step) {
    const layer::Layer& layer = layout.layer_at(step);
    const auto* dsp = layer.work.as<layer::DspLayer>();
    if (layer.work.as<layer::HostLayer>() != nullptr) made.add(layer), together.add(layer);
    if (dsp != nullptr && dsp->host_kernel.empty()) all.may_leave = false;
    if (dsp == nullptr || dsp->host_kernel.empty()) continue;
    const plan::MovedOperands moved = plan::moved_operands(*dsp, layout, [&](int flat) {
      if (flat == plan::kNone) return false;
      const plan::LinearBuffer& buffer = layout.linear_buffers[static_cast<size_t>(flat)];
      return buffer.uses_of_dsp > 0 && buffer.bytes <= config.sram.bytes;
    });
    const Cycle selects = plan::own_selects(images, step, config);
    const Cycle by_dsp = plan::dsp_cycles(*dsp, moved, config) + selects;
    const Cycle by_host = plan::host_cycles(*dsp, moved, made.waits(*dsp), config);
    all.add(
        layer.graph_ops.front(), by_dsp,
        plan::host_cycles(*dsp, moved_together(*dsp, moved, others), together.waits(*dsp), config));
    together.add(layer);
    if (by_dsp <= by_host) continue;
    Verdict verdict = slower(Engine::kDsp, by_dsp, Engine::kHost, by_host);
    if (selects > 0) {
      verdict.rule = "an image select for it alone", verdict.got = std::to_string(selects);
    }
    learnt.push_back({layer.graph_ops.front(), verdict});
  }
  const Cycle select = plan::first_select(images, config);
  return learnt.empty() && select != 0 ? all.leave(select) : learnt;
}

std::vector<Learnt> unfit_layers(const Placed& placed, bool host, const Decisions& decisions) {
  std::vector<Learnt> learnt;
  for (const plan::Misfit& misfit : placed.misfits) {
    const layer::Layer& layer = placed.partition.layers[static_cast<size_t>(misfit.layer)];
    const int consumer = fused_consumer(layer, placed.graph);
    if (consumer >= 0 && decisions.limits.not_fused.count(consumer) == 0) {
      learnt.push_back({consumer, misfit.verdict, true});
    } else if (host || is_outside(misfit.verdict.engine)) {
      learnt.push_back({layer.graph_ops.front(), misfit.verdict});
    }
  }
  return learnt;
}

}  // namespace presil::placement
