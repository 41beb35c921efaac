#include "compiler_bridge/compile/compile.h"

#include <optional>
#include <utility>

#include "compiler_bridge/compile/check_request.h"
#include "compiler_bridge/emit/loadable.h"
#include "compiler_bridge/emit/memory_map.h"
#include "compiler_bridge/emit/stream.h"
#include "compiler_bridge/placement/issue.h"
#include "compiler_bridge/plan/separate_jobs.h"
#include "rtl/soc/loadable_generated.h"

namespace presil::compile {
namespace {

std::vector<LayerInfo> infos(const partition::Partition& partition,
                             const plan::Schedule& schedule) {
  std::vector<LayerInfo> list;
  for (const layer::Layer& layer : partition.layers) {
    list.push_back({layer.name, layer.op, layer.engine(), layer.source_ops, layer.macs, 0});
  }
  for (const plan::ScheduledCommand& c : schedule.commands) {
    if (c.layer == plan::kNone) continue;
    LayerInfo& layer = list[static_cast<size_t>(c.layer)];
    const bool computes = presil_kind_of_queue(c.queue) != PRESIL_ENGINE_DMA;
    if (computes || layer.engine == "dma") ++layer.commands;
  }
  return list;
}

play::Fastest commands_of(placement::Placed& placed, const SocConfig& config,
                          const CompileOptions& options, plan::Search& search) {
  auto& [graph, partition, layout, plan, others, misfits] = placed;
  if (!options.overlaps) {
    return play::fastest(graph, layout, plan, others, config, options.dispatch, search);
  }
  plan::separate_jobs(layout, config, plan);
  return {plan::make_schedule(graph, layout, plan, config, options.dispatch, &search, true), {}, 0};
}

std::optional<Cycle> play_taken(Planned& planned, const SocConfig& config, plan::Search& search) {
  auto& [graph, partition, layout, plan, others, misfits] = planned.placed;
  return play::play_taken(planned.fastest, graph, layout, plan, config, search);
}

}  // namespace

Planned plan_of(const ir::Graph& imported, const SocConfig& config, const CompileOptions& options,
                plan::Search& search) {
  Planned planned{placement::place(imported, config, options, search), {}};
  planned.fastest = commands_of(planned.placed, config, options, search);
  // Where the ARM begins each step no engine works beside another; what counts of jobs that overlap
  // is not the end of one.
  if (options.overlaps || options.dispatch == plan::Dispatch::kHost) return planned;
  std::optional<placement::Placed> placed =
      placement::in_issue_order(planned.placed, config, search);
  if (!placed) return planned;
  Planned other{std::move(*placed), {}};
  other.fastest = commands_of(other.placed, config, options, search);
  const std::optional<Cycle> before = play_taken(planned, config, search);
  const std::optional<Cycle> after =
      before ? play_taken(other, config, search) : std::optional<Cycle>();
  return after && play::worth(*after, *before) ? std::move(other) : std::move(planned);
}

Compiled compile(const ir::Graph& imported, const SocConfig& config,
                 const CompileOptions& options) {
  check_request(imported, config, options);
  plan::Search search(options.effort, options.progress);
  search.decide(options.decisions);
  SocConfig share = config;  // the loadable is for the whole SoC, planned for a share of its SRAM
  if (options.sram_bytes != 0) share.sram.bytes = static_cast<uint32_t>(options.sram_bytes);
  Planned planned = plan_of(imported, share, options, search);
  placement::Placed& placed = planned.placed;
  plan::Schedule& schedule = planned.fastest.commands;
  search.stage("emit");
  const auto sram = emit::sram_use(placed.graph, imported, placed.layout, placed.plan, schedule);

  Compiled compiled;
  compiled.loadable = emit::write_loadable({imported, placed.graph, placed.partition, placed.layout,
                                            placed.plan, schedule, sram, config, options.strip});
  const loadable::Loadable& written = *loadable::GetLoadable(compiled.loadable.data());
  compiled.stream_text = emit::stream_text(written);
  compiled.memory_map = emit::memory_map(written);
  compiled.placements = placed.partition.placements;
  compiled.layers = infos(placed.partition, schedule);
  compiled.estimate = placed.plan.cycles;
  compiled.work = search.spent();
  compiled.decisions = plan::decisions_of(placed.layout, placed.plan);
  compiled.extents = plan::extents_of(placed.layout);
  plan::check_decided(options.decisions, compiled.decisions);
  return compiled;
}

}  // namespace presil::compile
