// What the engines and the DRAM did, counted: the input of energy estimates.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "models/common/record.h"
#include "sim/platform/soc.h"

namespace presil::platform {

/// Of one command, by name, those that are not 0: busy (cycles), sram_read, sram_written,
/// dram_read, dram_written (bytes), macs, wide_macs, instructions, elements.
nlohmann::json actions_of(const CommandRecord& record);

/// Their sums by queue, for queues that have any.
nlohmann::json actions_by_queue(const std::vector<CommandRecord>& records);

/// Of the DRAM between two counts: activates, refreshes, bytes_read, bytes_written.
nlohmann::json dram_actions(const Soc::DramCounts& before, const Soc::DramCounts& after);

}  // namespace presil::platform
