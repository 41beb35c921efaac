// Whether the DLA takes a command: fields, rules between fields, addresses (rtl/dla/README.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "models/soc/soc_config.h"
#include "rtl/dla/dla_command.h"

namespace presil::dla {

/// What is wrong with a command: goes to the queue's error registers.
struct Fault {
  presil_queue_error_code code = PRESIL_QUEUE_ERROR_CODE_NONE;
  uint8_t rule = 0;      ///< RULE_BROKEN: its number
  uint8_t word = 0;      ///< of the command
  uint64_t address = 0;  ///< ADDRESS_RANGE: one past the last byte accessed
  std::string text;      ///< got and required, one sentence
};

/// @param words       as fetched: not yet relocated
/// @param sram_base   of the job: added to every SRAM address
/// @param sync_count  of the job: the largest counter id the stream may name
/// @param sram_bytes  of the tile
/// @return the first thing that is wrong, in the order of the README
std::optional<Fault> check(const uint32_t* words, const DlaConfig& config, uint32_t sram_base,
                           uint8_t sync_count, uint32_t sram_bytes);

/// The same for a decoded command (no reserved bits) without a job.
std::optional<Fault> check(const Command& command, const DlaConfig& config, uint32_t sram_bytes);

/// Bytes of the SRAM from the first to the last that a command reads of one operand, gaps between
/// rows among them; of the output those that it writes.
struct Window {
  uint64_t address = 0, bytes = 0;
};
constexpr unsigned kReadWindows = 5;
/// The operands that it reads, the others with 0 bytes; then the output.
/// @param command relocated
std::array<Window, kReadWindows + 1> windows(const Command& command, const DlaConfig& config);

/// The command with `sram_base` added to the SRAM addresses that its operation uses.
Command relocated(Command command, uint32_t sram_base);

}  // namespace presil::dla
