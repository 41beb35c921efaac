// Forms of tensors and a plan for them, which have to agree: where the SRAM has no capacity for
// what the DSP would have as the DLA has it, it gets dense bytes, and those from memory.
#pragma once

#include "compiler_bridge/plan/plan.h"

namespace presil::plan {

struct Arranged {
  Layout layout;
  Plan plan = {};
  std::vector<Plan> others = {};     ///< for the same layout, about as fast, as estimated
  std::vector<Misfit> misfits = {};  ///< layers that do not fit; then there is no plan
};

/// The faster one, as estimated, of: as many operands of the DSP in the SRAM as there is capacity
/// for; none, where they leave the DLA too little. And what is found with less SRAM.
/// @param first  what lay_out() makes of them, with nothing dense
Arranged arrange(const ir::Graph& graph, const Layers& layers, const SocConfig& config,
                 Layout first, Search& search);

}  // namespace presil::plan
