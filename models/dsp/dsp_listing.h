// Programs as people read them: instructions with the functions that they lie in, and the stretches
// of a profile that run from their first instruction to their last.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/dsp/dsp_blocks.h"
#include "models/dsp/dsp_elf.h"

namespace presil::dsp {

/// An instruction of a memory.
struct Line {
  std::string text;         ///< with the target's address after a branch or jump
  uint32_t bytes = 0;       ///< 0: there is no instruction
  bool leads_away = false;  ///< a branch, a jump, a return, an ecall
  uint32_t target = 0;      ///< of a branch or jump to a known place; else 0
};
Line line_at(const Memory& memory, uint32_t pc, const std::vector<Symbol>& functions);

/// Instructions that are executed one after the other, whenever the first one is.
struct Stretch {
  uint32_t first = 0, last = 0;  ///< pcs
  uint64_t passes = 0;
  uint64_t cycles = 0;
};
/// The executed instructions of a profile in basic blocks: cut after what leads away, at targets,
/// at functions, and where the next pc is another one. By pc.
std::vector<Stretch> basic_blocks(const Profile& profile, const Memory& memory,
                                  const std::vector<Symbol>& functions);

/// All cycles of a pc.
uint64_t cycles_of(const PcProfile& at);

/// "far_load", as run.json and the counters name it.
const char* name_of(Stall stall);

}  // namespace presil::dsp
