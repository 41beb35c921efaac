// Layers of the DSP in a plan: how many tiles, and the buffers that they go through.
#pragma once

#include <map>
#include <set>

#include "compiler_bridge/plan/dsp_plan.h"
#include "compiler_bridge/plan/engine_planner.h"
#include "compiler_bridge/plan/search.h"
#include "compiler_bridge/plan/tile_buffers.h"

namespace presil::plan {

class DspPlanner : public EnginePlanner {
 public:
  DspPlanner(const Layout& layout, const SocConfig& config, const Residents& residents,
             Search& search)
      : m_layout(layout),
        m_config(config),
        m_residents(residents),
        m_search(search),
        m_menus(size_t(layout.step_count())) {}

  std::optional<uint64_t> lacking(int step, const Room& room) override;
  void add(Plan& plan, int step, const Room& room, LayersCost& cost) override;
  uint64_t least(int step) override;
  uint64_t least_with_any_kept(int step) override;

 private:
  const layer::DspLayer& layer(int step) const {
    return *m_layout.layer_at(step).work.as<layer::DspLayer>();
  }
  DspChoice choose(int step, const Room& room);
  LayerPlan planned(Plan& plan, int step, const MovedOperands& moved,
                    const DspChoice& choice) const;
  MovedOperands moved_by(int step) const;
  uint64_t least(int step, const std::set<int>& kept) const;

  const Layout& m_layout;
  const SocConfig& m_config;
  const Residents& m_residents;
  Search& m_search;
  std::vector<std::map<MovedOperands, std::vector<DspChoice>>> m_menus;  ///< by step
};

}  // namespace presil::plan
