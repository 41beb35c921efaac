// Why a job does not end: for each queue what its oldest command waits for, which one should
// signal it and what that one does; from queue to queue to the one that waits for no other. Made of
// the models' state, without a cycle of simulated time.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "models/common/record.h"
#include "sim/platform/soc.h"

namespace presil::loadable {
struct Loadable;
}

namespace presil::platform {

/// @param image where the loadable's image lies: commands are what they are there now, or those of
/// the loadable where they lack their CRC
/// @param records of the job's commands that have ended, in the order of their ends
/// @return README.md has its keys
nlohmann::json hang_report(const Soc& soc, const loadable::Loadable& loadable, uint64_t image,
                           const std::vector<CommandRecord>& records, unsigned tile = 0);

}  // namespace presil::platform
