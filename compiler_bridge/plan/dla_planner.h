// Layers of the DLA in a plan: which tiling, and the buffers that its tiles go through.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "compiler_bridge/plan/dla_shapes.h"
#include "compiler_bridge/plan/engine_planner.h"
#include "compiler_bridge/plan/tile_buffers.h"

namespace presil::plan {

class DlaPlanner : public EnginePlanner {
 public:
  DlaPlanner(const Layout& layout, const SocConfig& config, const Residents& residents,
             Search& search)
      : m_layout(layout),
        m_config(config),
        m_residents(residents),
        m_search(search),
        m_shapes(layout, config, search) {}

  std::optional<uint64_t> lacking(int step, const Room& room) override;
  void add(Plan& plan, int step, const Room& room, LayersCost& cost) override;
  std::vector<EarlyLoads> early_loads(int step, LayerPlan& planned) const override;
  uint64_t least(int step) override;
  uint64_t least_with_any_kept(int step) override;
  std::vector<int> not_to_keep(int step) const override;
  std::vector<uint8_t> whole_parameter_block(const Plan& plan, int step) const override;

 private:
  const TilingChoice* choose(int step, const Room& room);
  /// The tiling that was decided for the step before planning, if the layer has it.
  const TilingChoice* decided(int step);
  const TilingChoice& choose_after(int step, const Room& room, const LayersCost& before);
  LayerPlan planned(Plan& plan, int step, const TilingChoice& choice) const;
  uint64_t tiled(int step, const std::set<int>& kept);

  const layer::DlaLayer& layer(int step) const { return *m_shapes.layer(step); }
  int ready(TensorId tensor) const { return blocked_ready(m_layout, m_residents, tensor); }
  /// The first step at which its weights are there.
  int weights_ready(const layer::DlaLayer& layer) const;

  const Layout& m_layout;
  const SocConfig& m_config;
  const Residents& m_residents;
  Search& m_search;
  DlaShapes m_shapes;
  /// By step and which of its tensors come and go by tiles.
  std::map<std::pair<int, unsigned>, std::optional<TilingChoice>> m_decided;
};

}  // namespace presil::plan
