// Several networks on one SoC: each request is given to the driver when it arrives, which decides
// by priority what the engines have; what comes out is compared byte by byte.
#pragma once

#include <nlohmann/json.hpp>

#include "models/soc/soc_config.h"
#include "sim/platform/soc.h"

namespace presil::platform {

/// Answers message `serve` (README.md). The SoC has no other driver meanwhile.
/// @throws Failure where a network is refused, or a job fails or does not end
nlohmann::json serve(Soc& soc, const SocConfig& config, const nlohmann::json& message);

}  // namespace presil::platform
