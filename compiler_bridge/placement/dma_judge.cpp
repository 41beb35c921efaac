// What the DMA knows of its layers where they have been put: what it moves in short rows another
// engine may move faster.
#include <algorithm>

#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/placement/engine_judge.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dma_copy.h"
#include "models/dma/dma_timing.h"

namespace presil::placement {
namespace {

/// Small tensors between layers lie in the SRAM as a rule: the DMA moves them there, a short row in
/// few cycles.
Cycle copied(const layer::DmaLayer& copy, const ir::Graph& graph, const SocConfig& config) {
  constexpr uint64_t kFewOfSram = 4;  // tensors that it holds besides
  uint64_t bytes = graph.tensor(copy.output).bytes();
  bool between = !graph.is_output(copy.output);
  for (const layer::DmaLayer::Move& move : copy.moves) {
    bytes += graph.tensor(move.input).bytes();
    const auto& inputs = graph.inputs;
    between = between && !graph.tensor(move.input).is_constant() &&
              std::find(inputs.begin(), inputs.end(), move.input) == inputs.end();
  }
  if (!between || bytes * kFewOfSram > config.sram.bytes) return plan::copy_cycles(copy, config);
  Cycle cycles = 0;
  for (const layer::DmaLayer::Move& move : copy.moves) {
    for (const plan::DmaCopy& part :
         plan::copy_rows(move.bytes, plan::kSram, 0, plan::kSram, 0, copy.flip_sign)) {
      cycles += dma::isolated_cycles(part.command, config);
    }
  }
  return cycles;
}

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
      const Cycle own = copied(*copy, *graph, round.config);
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

  Cycle cycles(const layer::Work& work, const std::string&, const ir::Graph&,
               const SocConfig& config) const override {
    return plan::copy_cycles(*work.as<layer::DmaLayer>(), config);
  }
};

}  // namespace

std::unique_ptr<const EngineJudge> dma_judge() {
  return std::make_unique<DmaJudge>();
}

}  // namespace presil::placement
