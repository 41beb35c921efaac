// What the DSP knows of its layers where they have been put: whether it can hold their programs,
// whether the host is faster at them.
#include <functional>

#include "compiler_bridge/dsp_image/dsp_image.h"
#include "compiler_bridge/layer/dsp_layer.h"
#include "compiler_bridge/partition/dsp_layer.h"
#include "compiler_bridge/placement/dsp_beside_host.h"
#include "compiler_bridge/placement/engine_judge.h"
#include "compiler_bridge/plan/dsp_images.h"
#include "compiler_bridge/plan/dsp_plan.h"
#include "compiler_bridge/rules/rules.h"

namespace presil::placement {
namespace {

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

/// Whether a linear buffer may stay in the SRAM.
std::function<bool(int flat)> stays(const Round& round) {
  return [&round](int flat) {
    if (flat == plan::kNone) return false;
    const plan::LinearBuffer& buffer =
        round.placed.layout.linear_buffers[static_cast<size_t>(flat)];
    return buffer.uses_of_dsp > 0 && buffer.bytes <= round.config.sram.bytes;
  };
}

class DspJudge : public EngineJudge {
 public:
  DspJudge() : EngineJudge(Engine::kDsp) {}

  /// Kernels whose programs it cannot hold.
  std::vector<Learnt> of_layers(const Round& round) const override {
    std::vector<Learnt> learnt;
    for (const layer::Layer& layer : round.placed.partition.layers) {
      const auto* dsp = layer.work.as<layer::DspLayer>();
      if (dsp == nullptr || !dsp->programs(&round.config.dsp).empty()) continue;
      const dsp_image::Image& image = *dsp->programs().front();
      Verdict unfit =
          verdict(engine(), Verdict::Kind::kImage, *dsp_image::unfit(image, round.config.dsp));
      unfit.image = image.name;
      learnt.push_back({layer.graph_ops.front(), unfit});
    }
    return learnt;
  }

  /// Layers that the host is faster at.
  std::vector<Learnt> of_layout(const Round& round) const override {
    std::vector<Learnt> learnt;
    if (!round.host) return learnt;
    const plan::Layout& layout = round.placed.layout;
    const auto images = plan::choose_images(layout, round.config.dsp);
    Together all;
    const std::set<ir::TensorId> others = of_engines(round.placed.partition.layers);
    OfHost made(round.placed.graph), together(round.placed.graph);  // the latter if all leave
    for (int step = 0; step < layout.step_count(); ++step) {
      const layer::Layer& layer = layout.layer_at(step);
      const auto* dsp = layer.work.as<layer::DspLayer>();
      if (is_of_host(layer)) made.add(layer), together.add(layer);
      if (dsp != nullptr && dsp->host_kernel.empty()) all.may_leave = false;
      if (dsp == nullptr || dsp->host_kernel.empty()) continue;
      const plan::MovedOperands moved = plan::moved_operands(*dsp, layout, stays(round));
      const Cycle selects = plan::own_selects(images, step, round.config);
      const Cycle by_dsp = plan::dsp_cycles(*dsp, moved, round.config) + selects;
      const Cycle by_host = plan::host_cycles(*dsp, moved, made.waits(*dsp), round.config);
      all.add(layer.graph_ops.front(), by_dsp,
              plan::host_cycles(*dsp, moved_together(*dsp, moved, others), together.waits(*dsp),
                                round.config));
      together.add(layer);
      if (by_dsp <= by_host) continue;
      Verdict verdict = slower(engine(), by_dsp, Engine::kHost, by_host);
      if (selects > 0) {
        verdict.rule = "an image select for it alone", verdict.got = std::to_string(selects);
      }
      learnt.push_back({layer.graph_ops.front(), verdict});
    }
    const Cycle select = plan::first_select(images, round.config);
    return learnt.empty() && select != 0 ? all.leave(select) : learnt;
  }

  Cycle cycles(const layer::Work& work, const std::string&, const ir::Graph&,
               const SocConfig& config) const override {
    const auto& dsp = *work.as<layer::DspLayer>();
    return plan::dsp_cycles(dsp, plan::moved_operands(dsp), config);
  }

  Cycle cycles_in(const Round& round, int step) const override {
    const plan::Layout& layout = round.placed.layout;
    const auto& dsp = *layout.layer_at(step).work.as<layer::DspLayer>();
    const auto images = plan::choose_images(layout, round.config.dsp);
    return plan::dsp_cycles(dsp, plan::moved_operands(dsp, layout, stays(round)), round.config) +
           plan::own_selects(images, step, round.config);
  }

  std::optional<Cycle> cycles_to_move(ir::Graph& graph, int index,
                                      const Round& round) const override {
    const ir::Op op = graph.ops[static_cast<size_t>(index)];
    if (round.decisions.limits.why_not_on(engine(), index) != nullptr) return std::nullopt;
    if (op.kind == ir::OpKind::kQuantize) return std::nullopt;
    if (!rules::take(engine(), graph, op, round.config).yes()) return std::nullopt;
    const layer::DspLayer layer = partition::dsp_layer(graph, op);
    if (layer.programs(&round.config.dsp).empty()) return std::nullopt;
    const plan::MovedOperands moved = plan::moved_operands(layer);
    const uint64_t most = round.config.sram.bytes;
    if (plan::choose_dsp(layer, moved, most, round.config).tiles == 0) return std::nullopt;
    return plan::dsp_cycles(layer, moved, round.config);
  }
};

}  // namespace

std::unique_ptr<const EngineJudge> dsp_judge() {
  return std::make_unique<DspJudge>();
}

}  // namespace presil::placement
