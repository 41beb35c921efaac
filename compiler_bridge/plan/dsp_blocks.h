// Which tensors the DSP has where the DLA has them: as storages in the SRAM (layout.h), handed over
// by a counter, with nothing moved between.
#pragma once

#include <set>
#include <vector>

#include "compiler_bridge/plan/layer.h"
#include "models/soc/soc_config.h"

namespace presil::plan {

/// Sets `stored` of operands whose kernels take blocks, where the DLA has made the tensor or reads
/// it, as far as its form there allows, unless what is computed in padding costs more than is
/// saved.
/// @param dense  layers of which nothing is to be stored
void store_operands(const ir::Graph& graph, std::vector<Layer>& layers, const std::set<int>& dense,
                    const SocConfig& config);

/// Whether the operand is brought into the SRAM, or taken out of it, where it lies in memory.
inline bool is_moved(const DspOperand& operand) {
  if (operand.stored || operand.cut == DspOperand::Cut::kMemory) return false;
  return !operand.constant || operand.is_cut();
}

/// Constants beside the arguments of a layer, loaded with them.
inline bool is_inside(const DspOperand& operand) {
  return operand.constant && operand.cut == DspOperand::Cut::kWhole && !operand.stored;
}

}  // namespace presil::plan
