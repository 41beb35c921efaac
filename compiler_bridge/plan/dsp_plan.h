// How a layer of the DSP is cut into commands, what that takes of the SRAM and of time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dsp_arguments.h"
#include "compiler_bridge/plan/layout.h"

namespace presil::plan {

struct DspChoice {
  int64_t tiles = 0;
  int depth = 1;       ///< buffers of each operand that is cut
  uint64_t bytes = 0;  ///< of the SRAM
  Cycle cycles = 0;    ///< of the layer, as estimated
  Cycle moved = 0;     ///< of the memory, meanwhile
  Cycle lost = 0;      ///< to moving data
};

/// Which operands are brought into the SRAM, or taken out of it, by commands of their own; inputs
/// first.
using MovedOperands = std::vector<bool>;
/// @param stays  by flat: it is in the SRAM
MovedOperands moved_operands(const layer::DspLayer& layer, const Layout& layout,
                             const std::function<bool(int flat)>& stays);
/// Where no flat is.
MovedOperands moved_operands(const layer::DspLayer& layer);
/// What one load holds of constants, argument blocks and tables, where operands are `moved`.
DspParameterBlock dsp_parameter_block(const layer::DspLayer& layer, const MovedOperands& moved,
                                      int64_t tiles);

/// All numbers of tiles that are worth a look, fewest first.
std::vector<DspChoice> dsp_menu(const layer::DspLayer& layer, const MovedOperands& moved,
                                const SocConfig& config);
/// The fastest one of at most `budget` bytes; null tiles: none, and `bytes` says what the smallest
/// takes.
DspChoice choose_dsp(const std::vector<DspChoice>& menu, uint64_t budget);
DspChoice choose_dsp(const layer::DspLayer& layer, const MovedOperands& moved, uint64_t budget,
                     const SocConfig& config);

/// A command for so many of the layer's rows, from its waits to its signal, its data there.
Cycle dsp_command_cycles(const layer::DspLayer& layer, int64_t rows, const SocConfig& config);

/// A layer of the DSP as it is laid out, alone and with all the SRAM to itself, 0 where that is too
/// small; and the same by the host, with what is moved for it that need not be for the DSP.
/// @param waits  for the interrupt of an engine: not for inputs of the network or of the host's own
Cycle dsp_cycles(const layer::DspLayer& layer, const MovedOperands& moved, const SocConfig& config);
Cycle host_cycles(const layer::DspLayer& layer, const MovedOperands& moved, bool waits,
                  const SocConfig& config);

}  // namespace presil::plan
