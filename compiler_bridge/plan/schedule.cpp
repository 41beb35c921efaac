#include "compiler_bridge/plan/schedule.h"

#include <map>
#include <stdexcept>

#include "compiler_bridge/layer/dla_layer.h"
#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/layer/dsp_layer.h"
#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/plan/dla_schedule.h"
#include "compiler_bridge/plan/dma_schedule.h"
#include "compiler_bridge/plan/dsp_schedule.h"
#include "compiler_bridge/plan/host_schedule.h"
#include "compiler_bridge/plan/outside_schedule.h"
#include "compiler_bridge/plan/search.h"

namespace presil::plan {

DmaQueues dma_queues(const DmaConfig& config) {
  const auto channel = [&](unsigned role) {
    return static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + role % config.channels);
  };
  return {channel(0), channel(1), channel(2), channel(3)};
}

Schedule make_schedule(const ir::Graph& graph, const Layout& layout, const Plan& plan,
                       const SocConfig& config, Dispatch dispatch, Search* progress,
                       bool overlaps) {
  Search none;
  Search& search = progress == nullptr ? none : *progress;
  Scheduling scheduling(graph, layout, plan, config);
  if (dispatch == Dispatch::kHost) scheduling.program.dispatch_by_host();
  if (overlaps) scheduling.program.overlap_jobs();
  scheduling.schedule.overlaps = overlaps;
  TensorMoves moves(scheduling);
  DlaScheduler dla(scheduling, moves);
  DspScheduler dsp(scheduling, moves);
  DmaScheduler dma(scheduling);
  HostScheduler host(scheduling);
  OutsideScheduler outside(scheduling, moves);
  std::map<std::string, EngineScheduler*> engines = {{layer::DlaLayer::kEngine, &dla},
                                                     {layer::DspLayer::kEngine, &dsp},
                                                     {layer::DmaLayer::kEngine, &dma},
                                                     {layer::HostLayer::kEngine, &host}};
  for (const engine::Joined& joined : engine::joined()) engines[joined.name] = &outside;
  search.stage("schedule", uint64_t(layout.step_count()));
  for (int step = 0; step < layout.step_count(); ++step) {
    scheduling.begin(step);
    search.tell(uint64_t(step));
    moves.load_blocked_buffers();
    const Layer& layer = layout.layer_at(step);
    const auto engine = engines.find(layer.engine());
    if (engine == engines.end()) {
      throw std::logic_error("schedule: nothing puts commands of " + std::string(layer.engine()));
    }
    engine->second->add(layer.work);
  }
  scheduling.program.finish(scheduling.schedule, search);
  return std::move(scheduling.schedule);
}

}  // namespace presil::plan
