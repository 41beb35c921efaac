// Schedules as readable text and as the words that the queues fetch.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/plan/schedule.h"

namespace presil::emit {

/// "dla", "dsp", "host", "dma0", ...
std::string queue_name(uint8_t queue);

/// One line a command: queue, index, the contract's text of the command, then a comment with layer
/// and tile. In program order, so that it reads as it will run.
///   dla 3: conv in_base=0x400 kernel_h=3 ... signal_add=1  ; conv2d_2 tile 0
std::string to_text(const std::vector<plan::ScheduledCommand>& commands,
                    const std::vector<plan::Layer>& layers);

/// Reads what to_text wrote, without layers and tiles (they are comments).
/// Refuses (presil::Refusal) with the number of the line.
std::vector<plan::ScheduledCommand> from_text(const std::string& text);

/// The words of one queue, each command at the pitch of its engine.
std::vector<uint32_t> words_of(const std::vector<plan::ScheduledCommand>& commands, uint8_t queue);

}  // namespace presil::emit
