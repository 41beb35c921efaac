#include "compiler_bridge/play/dsp_cycles.h"

#include <algorithm>

#include "compiler_bridge/layer/dsp_layer.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dsp_arguments.h"
#include "compiler_bridge/plan/dsp_plan.h"

namespace presil::play {

std::optional<Cycle> dsp_cycles(const layer::Work& work, const plan::LayerPlan& planned,
                                uint32_t tile, const SocConfig& config) {
  const auto* layer = work.as<layer::DspLayer>();
  if (layer == nullptr) return std::nullopt;
  const int64_t most = plan::rows_of_tile(*layer, planned.dsp.tiles);
  const int64_t rows = std::clamp<int64_t>(layer->rows - int64_t(tile) * most, 0, most);
  return plan::dsp_command_cycles(*layer, rows, config);
}

Cycle select_cycles(const dsp::Command& command, const SocConfig& config) {
  return plan::move_cycles(command.image_bytes, 1, config);
}

}  // namespace presil::play
