#include "compiler_bridge/play/host_cycles.h"

#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/plan/cost.h"
#include "models/host/host_timing.h"

namespace presil::play {

std::optional<Cycle> host_cycles(const layer::Work& work, const ir::Graph& graph,
                                 const SocConfig& config) {
  const auto* layer = work.as<layer::HostLayer>();
  if (layer == nullptr) return std::nullopt;
  return plan::host_cycles(*layer, graph, config) + config.noc.cycles_register_write;
}

Cycle host_nop_cycles(const SocConfig& config) {
  return config.host.cycles_interrupt + host::task_cycles(config.host, {host::kNoTask, 0, 0}) +
         config.noc.cycles_register_write;
}

}  // namespace presil::play
