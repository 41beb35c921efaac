#include "compiler_bridge/compile/compile.h"

#include "compiler_bridge/emit/loadable.h"
#include "compiler_bridge/emit/memory_map.h"
#include "compiler_bridge/emit/stream.h"
#include "compiler_bridge/partition/partition.h"
#include "compiler_bridge/passes/pass.h"
#include "rtl/soc/refusal.h"

namespace presil::compile {
namespace {

std::string engine_of(const plan::Layer& layer) {
  if (std::holds_alternative<plan::DlaLayer>(layer.work)) return "dla";
  if (std::holds_alternative<plan::HostLayer>(layer.work)) return "host";
  return "none";
}

std::vector<LayerInfo> infos(const plan::Partition& partition, const plan::Schedule& schedule) {
  std::vector<LayerInfo> list;
  for (const plan::Layer& layer : partition.layers) {
    list.push_back({layer.name, layer.op, engine_of(layer), layer.source_ops, layer.macs, 0});
  }
  for (const plan::ScheduledCommand& c : schedule.commands) {
    const bool computes = c.queue == PRESIL_QUEUE_DLA || c.queue == PRESIL_QUEUE_HOST;
    if (computes && c.layer != plan::kNone) ++list[static_cast<size_t>(c.layer)].commands;
  }
  return list;
}

void refuse_fallback(const plan::Partition& partition) {
  for (const plan::Placement& p : partition.placements) {
    if (p.engine != "host") continue;
    throw Refusal("compile", p.op + " " + p.name + " would run on the host (" + p.reason +
                                 "), and --no-fallback wants every op on an engine");
  }
}

}  // namespace

Compiled compile(const ir::Graph& imported, const SocConfig& config,
                 const CompileOptions& options) {
  check(config);
  ir::Graph graph = passes::prepare(imported);
  const plan::Partition partition = partition::partition(graph, config.dla, imported);
  if (!options.fallback) refuse_fallback(partition);
  const plan::Layout layout = plan::lay_out(graph, partition, config.dla);
  const plan::Plan plan = plan::make_plan(layout, config);
  const plan::Schedule schedule = plan::make_schedule(graph, layout, plan, config);

  const auto sram = emit::sram_use(graph, layout, plan, schedule);

  Compiled compiled;
  compiled.loadable = emit::write_loadable(
      {imported, graph, partition, layout, plan, schedule, sram, config, options.strip});
  compiled.stream_text = emit::to_text(schedule.commands, partition.layers);
  compiled.memory_map = emit::memory_map(graph, layout, plan, sram, config);
  compiled.placements = partition.placements;
  compiled.layers = infos(partition, schedule);
  return compiled;
}

}  // namespace presil::compile
