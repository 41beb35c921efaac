// What the DMA knows of its layers where they have been put: what it moves in short rows another
// engine may move faster.
#include <algorithm>

#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/placement/engine_judge.h"
#include "compiler_bridge/plan/cost.h"

namespace presil::placement {
namespace {

int64_t shortest_row(const layer::DmaLayer& copy) {
  int64_t row = copy.moves.front().bytes.row;
  for (const layer::DmaLayer::Move& move : copy.moves) row = std::min(row, move.bytes.row);
  return row;
}

class DmaJudge : public EngineJudge {
 public:
  DmaJudge() : EngineJudge(Engine::kDma) {}

  std::vector<Learnt> of_layers(const Round& round) const override {
    std::vector<Learnt> learnt;
    std::optional<ir::Graph> graph;  // lowering appends constants
    for (const layer::Layer& layer : round.placed.partition.layers) {
      const auto* copy = layer.work.as<layer::DmaLayer>();
      if (copy == nullptr) continue;
      if (!graph) graph = round.placed.graph;
      const int op = layer.graph_ops.front();
      const Cycle own = plan::copy_cycles(*copy, *graph, round.config);
      Cycle least = round.host ? plan::host_cycles(*copy, *graph, round.config) : own;
      Engine chosen = Engine::kHost;
      for (const auto& judge : engine_judges()) {
        const std::optional<Cycle> other = judge->cycles_to_move(*graph, op, round);
        if (other && *other < least) least = *other, chosen = judge->engine();
      }
      if (own <= least) continue;
      Verdict verdict = slower(engine(), own, chosen, least);
      verdict.rule = "bytes in a row", verdict.got = std::to_string(shortest_row(*copy));
      learnt.push_back({op, verdict});
    }
    return learnt;
  }

  Cycle cycles(const layer::Work& work, const std::string&, const ir::Graph& graph,
               const SocConfig& config) const override {
    return plan::copy_cycles(*work.as<layer::DmaLayer>(), graph, config);
  }
};

}  // namespace

std::unique_ptr<const EngineJudge> dma_judge() {
  return std::make_unique<DmaJudge>();
}

}  // namespace presil::placement
