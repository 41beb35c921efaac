// What a program takes, played by the models themselves: queues with their fetches and waits, DLAs,
// DMA, sync, crossbar and DRAM as plain objects on one timeline, without values. The DSP, the host
// and engines from outside take the cycles that they are estimated with.
#pragma once

#include <functional>
#include <optional>

#include "compiler_bridge/plan/schedule.h"

namespace presil::play {

struct Program {
  const plan::Schedule& schedule;
  /// Bytes of the job's regions.
  uint64_t input_bytes = 0, output_bytes = 0, scratch_bytes = 0;
};

/// One job of it on an idle tile, from the first command that is offered to the end of the last
/// one; of engines, not of the host's tasks alone.
/// @param told  cycles of a command that no model plays, from its last wait to its signal
/// @return nothing: it stops for a reason that a run would name
std::optional<Cycle> play(const Program& program, const SocConfig& config,
                          const std::function<Cycle(const plan::ScheduledCommand&)>& told);

}  // namespace presil::play
