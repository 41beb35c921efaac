#include "compiler_bridge/play/command_cycles.h"

#include <algorithm>

#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dsp_arguments.h"
#include "compiler_bridge/plan/dsp_plan.h"
#include "compiler_bridge/plan/outside_plan.h"

namespace presil::play {

Cycle CommandCycles::operator()(const plan::ScheduledCommand& command) const {
  const bool host = command.queue == PRESIL_QUEUE_HOST;
  const Cycle told = host ? m_config.host.cycles_interrupt + m_config.noc.cycles_register_write : 0;
  if (const auto* dsp = std::get_if<dsp::Command>(&command.word)) {
    if (dsp->op == dsp::Op::kSelect) return plan::move_cycles(dsp->image_bytes, 1, m_config);
  }
  if (command.layer == plan::kNone) return told;
  const int step = m_layout.step_of[size_t(command.layer)];
  const layer::Work& work = m_layout.layers[size_t(command.layer)].work;
  const plan::LayerPlan& planned = m_plan.layers[size_t(step)];
  if (const auto* dsp = work.as<layer::DspLayer>()) return of_dsp(*dsp, planned, command.tile);
  if (const auto* task = work.as<layer::HostLayer>()) {
    return plan::host_cycles(*task, work.kernel_name().kernel, m_graph, m_config) +
           m_config.noc.cycles_register_write;
  }
  return host ? told : of_outside(step, planned, command.tile);
}

Cycle CommandCycles::of_dsp(const layer::DspLayer& layer, const plan::LayerPlan& planned,
                            uint32_t tile) const {
  const int64_t most = plan::rows_of_tile(layer, planned.dsp.tiles);
  const int64_t rows = std::clamp<int64_t>(layer.rows - int64_t(tile) * most, 0, most);
  return plan::dsp_command_cycles(layer, rows, m_config);
}

Cycle CommandCycles::of_outside(int step, const plan::LayerPlan& planned, uint32_t tile) const {
  const plan::OutsideShape shape = plan::outside_shape(m_layout, step);
  const std::vector<engine::Tile> tiles =
      plan::outside_tiles(shape, planned.outside.rows, planned.outside.blocks);
  return shape.engine->compiler->cycles(*shape.work, tiles.at(tile), shape.engine->in(m_config));
}

}  // namespace presil::play
