// Command streams as readable text and as the words that the queues fetch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler_bridge/plan/schedule.h"

namespace presil::loadable {
struct Loadable;  // rtl/soc/loadable_generated.h
}

namespace presil::emit {

/// "dla", "dsp", "host", "dma0", ...
std::string queue_name(uint8_t queue);

/// Every command of a loadable: queue, index, the contract's text of the command, then a comment
/// with layer, tile (but the first) and operators of the imported file. In program order, so that
/// it reads as it will run.
///   dla 3: conv in_base=0x400 kernel_h=3 ... signal_add=1  ; conv2d_2 tile 1 [3 4]
/// @pre the file is what write_loadable gave, or sim/platform/loadable_file.h has opened it
/// Refuses (presil::Refusal) streams that the debug map does not describe.
std::string stream_text(const loadable::Loadable& loadable);

/// Reads what stream_text wrote; comments, from ';' to the end of a line, say nothing.
/// Refuses (presil::Refusal) with line, command, field, what was got and what is expected.
std::vector<plan::ScheduledCommand> from_text(const std::string& text);

/// The loadable with the commands that the text says: all else stays, and the checksum is made
/// anew. Text that stream_text wrote gives the same bytes. The text has as many commands of each
/// queue as the loadable; whether they make sense together is the driver's to check.
/// @pre as stream_text
std::vector<uint8_t> assemble(const std::string& text, const std::vector<uint8_t>& loadable);

/// The words of one queue, each command at the pitch of its engine.
std::vector<uint32_t> words_of(const std::vector<plan::ScheduledCommand>& commands, uint8_t queue);

}  // namespace presil::emit
