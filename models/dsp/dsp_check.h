// What the DSP refuses of a command before it runs: fields, rules R1 to R7 of rtl/dsp/README.md, in
// its order.
#pragma once

#include <optional>

#include "models/common/queue_frontend.h"
#include "rtl/dsp/dsp_command.h"

namespace presil::dsp {

/// What a tile lets a command do.
struct Limits {
  uint32_t sram_bytes = 0;
  uint32_t itcm_bytes = 0;
  bool on_trap = false;  ///< capability.on_trap
};

/// @param words kWords of the command as fetched
/// @return the first fault
std::optional<QueueError> check(const uint32_t* words, const JobContext& job, const Limits& limits);

}  // namespace presil::dsp
