// How a layer of the DSP is cut into commands, what that takes of the SRAM and of time.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dsp_arguments.h"

namespace presil::plan {

/// Whether the operand is brought into the SRAM, or taken out of it, by commands of its own.
inline bool is_moved(const DspOperand& operand) {
  if (operand.stored || operand.cut == DspOperand::Cut::kMemory) return false;
  return !operand.constant || operand.cut == DspOperand::Cut::kRows;
}

struct DspChoice {
  int64_t tiles = 0;
  int depth = 1;       ///< buffers of each operand that is cut
  uint64_t bytes = 0;  ///< of the SRAM
  Cycle cycles = 0;    ///< of the layer, as estimated
  Cycle moved = 0;     ///< of the memory, meanwhile
  Cycle lost = 0;      ///< to moving data
};

/// The fastest one of at most `budget` bytes; null tiles: none, and `bytes` says what the smallest
/// takes.
DspChoice choose_dsp(const DspLayer& layer, uint64_t budget, const SocConfig& config);

/// A layer of the DSP as it is laid out, alone and with all the SRAM to itself, 0 where that is too
/// small; and the same by the host, with what is moved for it that need not be for the DSP.
Cycle dsp_cycles(const DspLayer& layer, const SocConfig& config);
Cycle host_cycles(const DspLayer& layer, const SocConfig& config);

}  // namespace presil::plan
