// Samples over the tiles of a SoC, side by side: each tile has the driver and its program for
// itself, as a host of its own, and takes the next sample when it is free. Like programs have one
// image of weights and commands in the DRAM.
#pragma once

#include <nlohmann/json.hpp>

#include "models/soc/soc_config.h"
#include "sim/platform/soc.h"

namespace presil::platform {

/// Answers message `tiles` (README.md). The SoC has no other driver meanwhile.
/// @throws Failure of the tile that fails first; the others end the samples that they have
nlohmann::json tile_jobs(Soc& soc, const SocConfig& config, const nlohmann::json& message);

}  // namespace presil::platform
