// Where the tiles of a layer go through: rings of buffers, and from which step on they may be
// filled.
#pragma once

#include "compiler_bridge/plan/choose_tiling.h"
#include "compiler_bridge/plan/dsp_plan.h"
#include "compiler_bridge/plan/outside_plan.h"
#include "compiler_bridge/plan/residents.h"

namespace presil::plan {

/// Each adds its buffers to the plan.
class LayerPlans {
 public:
  LayerPlans(const Layout& layout, const SocConfig& config, const Residents& residents)
      : m_layout(layout), m_config(config), m_residents(residents) {}

  LayerPlan of_dla(Plan& plan, int step, const LayerShape& shape, const TilingChoice& choice) const;
  LayerPlan of_dsp(Plan& plan, int step, const layer::DspLayer& layer, const MovedOperands& moved,
                   const DspChoice& choice) const;
  LayerPlan of_outside(Plan& plan, int step, const OutsideShape& shape,
                       const OutsideChoice& choice) const;

  /// The first step at which all of a tensor's blocked buffer is in memory, or weights are.
  int ready(TensorId tensor) const;
  int weights_ready(const layer::DlaLayer& layer) const;

 private:
  /// The steps at which loads for a step may begin, and its stores may end.
  struct Around {
    int before = 0, after = 0;
  };
  Around around(const Plan& plan, int step) const;

  const Layout& m_layout;
  const SocConfig& m_config;
  const Residents& m_residents;
};

}  // namespace presil::plan
