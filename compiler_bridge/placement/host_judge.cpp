// What is known of the host's layers where they have been put.
#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/placement/engine_judge.h"
#include "compiler_bridge/plan/cost.h"

namespace presil::placement {
namespace {

class HostJudge : public EngineJudge {
 public:
  HostJudge() : EngineJudge(Engine::kHost) {}

  Cycle cycles(const layer::Work& work, const std::string&, const ir::Graph& graph,
               const SocConfig& config) const override {
    return plan::host_cycles(*work.as<layer::HostLayer>(), graph, config);
  }
};

}  // namespace

std::unique_ptr<const EngineJudge> host_judge() {
  return std::make_unique<HostJudge>();
}

}  // namespace presil::placement
