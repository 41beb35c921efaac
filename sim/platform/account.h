// What a job or several did, as answers of a session have it (README.md, message `job`).
#pragma once

#include <nlohmann/json.hpp>

#include "models/common/record.h"
#include "sim/platform/recorder.h"
#include "sim/platform/soc.h"

namespace presil::platform {

/// Of this process, since it began.
double cpu_seconds();
/// One command.
nlohmann::json record_of(const CommandRecord& record);
/// Of all that was recorded: cycles, begin, end, queues, engines, bytes and actions.
nlohmann::json account_of(const Recorder& recorder);
/// What the DRAM did between two counts.
nlohmann::json dram_account(const Soc::DramCounts& before, const Soc::DramCounts& after);

}  // namespace presil::platform
