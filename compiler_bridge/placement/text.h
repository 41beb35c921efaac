// Placements as text, one operator after another: for `presil inspect --stage placement` and tests.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/placement/record.h"

namespace presil::placement {

/// conv2d "stem": dla, layer 0, within_limits
/// softmax "y": host, layer 4, refused
///   dla unknown: does not compute softmax
///   dsp cost: about 2545 cycles with transfers, the host takes 593
std::string print(const std::vector<Placement>& placements);

}  // namespace presil::placement
