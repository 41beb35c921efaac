#include "compiler_bridge/play/told_cycles.h"

#include "compiler_bridge/plan/outside_plan.h"
#include "compiler_bridge/play/dsp_cycles.h"
#include "compiler_bridge/play/host_cycles.h"

namespace presil::play {

Cycle ToldCycles::operator()(const plan::ScheduledCommand& command) const {
  const bool host = command.queue == PRESIL_QUEUE_HOST;
  const auto* dsp = std::get_if<dsp::Command>(&command.word);
  if (dsp != nullptr && dsp->op == dsp::Op::kSelect) return select_cycles(*dsp, m_config);
  if (command.layer == plan::kNone) return host ? host_nop_cycles(m_config) : 0;
  const int step = m_layout.step_of[size_t(command.layer)];
  const layer::Work& work = m_layout.layers[size_t(command.layer)].work;
  if (const auto cycles = host_cycles(work, m_graph, m_config)) return *cycles;
  const auto cycles = dsp_cycles(work, m_plan.layers[size_t(step)], command.tile, m_config);
  return cycles ? *cycles : of_outside(step, command.tile);
}

Cycle ToldCycles::of_outside(int step, uint32_t tile) const {
  const plan::LayerPlan& planned = m_plan.layers[size_t(step)];
  const plan::OutsideShape shape = plan::outside_shape(m_layout, step);
  const std::vector<engine::Tile> tiles =
      plan::outside_tiles(shape, planned.outside.rows, planned.outside.blocks);
  return shape.engine->compiler->cycles(*shape.work, tiles.at(tile), shape.engine->in(m_config));
}

}  // namespace presil::play
