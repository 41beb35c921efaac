// Waits in a loadable's streams: of each command the commands whose signals let it go
// on. With the times of a run this is the graph on which a layer's critical path is found.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/python/loadable_info.h"

namespace presil::python {

/// By tag, for each of a command's waits (DLA: in, weights, out) the tag of the command that meets
/// it: the first of a queue that brings its counter to the value. -1: no wait, or one that no
/// command of the streams meets.
/// @throws Refusal where the bytes are not a loadable, std::out_of_range where no run takes them
std::vector<std::vector<int64_t>> command_waits(ByteView bytes);

}  // namespace presil::python
