// Requests of a program to the host that runs it: output and the end of the run. Operations and
// parameter blocks are Arm's with words of 64 bits, as the RISC-V semihosting specification has it.
#pragma once

#include <functional>
#include <string>

#include "models/dsp/dsp_memory.h"

namespace presil::rv64 {

using Console = std::function<void(const std::string&)>;

struct SemihostingAnswer {
  uint64_t value = 0;
  bool ends = false;
};

/// A request that is not known, or whose memory cannot be read, answers -1.
SemihostingAnswer serve_semihosting(const dsp::Memory& memory, const Console& console,
                                    uint64_t operation, uint64_t parameter);

}  // namespace presil::rv64
