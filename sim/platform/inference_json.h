// The whole inference of the job that has just ended, as messages have it.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/platform/recorder.h"
#include "sim/platform/soc.h"

namespace presil::platform {

/// By part its cycles, those of them in the span of the commands, and counts of the host's work;
/// null where the driver tells nothing of it: a program of the user's own.
nlohmann::json inference_of(Soc& soc, const Recorder& recorder);

}  // namespace presil::platform
