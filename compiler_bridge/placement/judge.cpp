#include "compiler_bridge/placement/judge.h"

#include <algorithm>

namespace presil::placement {
namespace {

/// Null: no engine computes it.
const EngineJudge* judge_of(const layer::Work& work) {
  const Engine engine = engine_named(work.engine());
  const Judges& all = engine_judges();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& judge) { return judge->judges(engine); });
  return found == all.end() ? nullptr : found->get();
}

int leaves(const layer::Layer& layer, const ir::Graph& graph) {
  const EngineJudge* judge = judge_of(layer.work);
  return judge == nullptr ? -1 : judge->leaves(layer, graph);
}

}  // namespace

const Judges& engine_judges() {
  static const Judges all = [] {
    Judges judges;
    for (const auto make : {dsp_judge, outside_judge, dma_judge, dla_judge, host_judge}) {
      judges.push_back(make());
    }
    return judges;
  }();
  return all;
}

std::vector<Learnt> of_layers(const Round& round) {
  for (const auto& judge : engine_judges()) {
    std::vector<Learnt> learnt = judge->of_layers(round);
    if (!learnt.empty()) return learnt;
  }
  return {};
}

std::vector<Learnt> of_layout(const Round& round) {
  for (const auto& judge : engine_judges()) {
    std::vector<Learnt> learnt = judge->of_layout(round);
    if (!learnt.empty()) return learnt;
  }
  return {};
}

std::vector<Learnt> unfit_layers(const Round& round) {
  std::vector<Learnt> learnt;
  for (const plan::Misfit& misfit : round.placed.misfits) {
    const layer::Layer& layer = round.placed.partition.layers[static_cast<size_t>(misfit.layer)];
    const int fused = leaves(layer, round.placed.graph);
    if (fused >= 0 && round.decisions.limits.not_fused.count(fused) == 0) {
      learnt.push_back({fused, misfit.verdict, true});
    } else if (round.host || is_outside(misfit.verdict.engine)) {
      learnt.push_back({layer.graph_ops.front(), misfit.verdict});
    }
  }
  return learnt;
}

Cycle cycles_of(const layer::Work& work, const std::string& kind, const ir::Graph& graph,
                const SocConfig& config) {
  const EngineJudge* judge = judge_of(work);
  return judge == nullptr ? 0 : judge->cycles(work, kind, graph, config);
}

Cycle cycles_in(const Round& round, int step) {
  const EngineJudge* judge = judge_of(round.placed.layout.layer_at(step).work);
  return judge == nullptr ? 0 : judge->cycles_in(round, step);
}

}  // namespace presil::placement
