// Layers of engines from outside in a plan: which tiles, and the buffers that they go through.
#pragma once

#include "compiler_bridge/plan/engine_planner.h"
#include "compiler_bridge/plan/outside_plan.h"
#include "compiler_bridge/plan/tile_buffers.h"

namespace presil::plan {

class OutsidePlanner : public EnginePlanner {
 public:
  OutsidePlanner(const Layout& layout, const SocConfig& config, const Residents& residents)
      : m_layout(layout), m_residents(residents), m_steps(layout, config) {}

  std::optional<uint64_t> lacking(int step, const Room& room) override;
  void add(Plan& plan, int step, const Room& room, LayersCost& cost) override;
  uint64_t least(int step) override { return m_steps.least(step, false); }
  uint64_t least_with_any_kept(int step) override { return m_steps.least(step, true); }

 private:
  const OutsideChoice* choose(int step, const Room& room);

  const Layout& m_layout;
  const Residents& m_residents;
  OutsideSteps m_steps;
};

}  // namespace presil::plan
