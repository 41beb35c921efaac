// What is known of layers of engines from outside where they have been put; whether they pay is
// compared with the network without them (faster.h).
#include <set>

#include "compiler_bridge/placement/engine_judge.h"

namespace presil::placement {
namespace {

class OutsideJudge : public EngineJudge {
 public:
  OutsideJudge() : EngineJudge(Engine::kNone) {}

  bool judges(Engine engine) const override { return is_outside(engine); }

  /// Results that a layer reads with zeros in lanes of no channel.
  std::vector<Learnt> of_layers(const Round& round) const override {
    const layer::Layers& layers = round.placed.partition.layers;
    std::set<ir::TensorId> zeros;
    for (const layer::Layer& layer : layers) {
      for (const layer::Operand& operand : layer.work.operands()) {
        if (operand.zero_padding && !operand.write) zeros.insert(operand.tensor);
      }
    }
    std::vector<Learnt> learnt;
    for (const layer::Layer& layer : layers) {
      const Engine engine = engine_named(layer.engine());
      if (!judges(engine)) continue;
      for (const layer::Operand& operand : layer.work.operands()) {
        if (!operand.write || !operand.extent || operand.extent->c % 16 == 0) continue;
        if (zeros.count(operand.tensor) == 0) continue;
        learnt.push_back({layer.graph_ops.front(),
                          verdict(engine, Verdict::Kind::kRule,
                                  {"channels of a result that becomes weights",
                                   std::to_string(operand.extent->c), "a multiple of 16"})});
      }
    }
    return learnt;
  }
};

}  // namespace

std::unique_ptr<const EngineJudge> outside_judge() {
  return std::make_unique<OutsideJudge>();
}

}  // namespace presil::placement
