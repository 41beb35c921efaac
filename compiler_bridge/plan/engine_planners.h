// The planners of all engines, by the engine that computes a step's layer.
#pragma once

#include <memory>
#include <vector>

#include "compiler_bridge/plan/engine_planner.h"
#include "compiler_bridge/plan/residents.h"

namespace presil::plan {

class EnginePlanners {
 public:
  EnginePlanners(const Layout& layout, const SocConfig& config, const Residents& residents,
                 Search& search);

  EnginePlanner& of(int step) const { return *m_of[size_t(step)]; }

 private:
  std::vector<std::unique_ptr<EnginePlanner>> m_all;
  std::vector<EnginePlanner*> m_of;  ///< by step
};

/// Layers that cannot be planned whatever stays in the SRAM and whatever does not.
struct Unfit {
  int step = 0;
  uint64_t needed = 0;  ///< bytes of SRAM, in the smallest tiles
};
std::vector<Unfit> unfit_steps(const EnginePlanners& planners, int steps, uint64_t sram_bytes);

}  // namespace presil::plan
