// Whether engines from outside pay: the network placed with them against the network without.
#pragma once

#include <vector>

#include "compiler_bridge/placement/decisions.h"
#include "compiler_bridge/placement/placed.h"
#include "models/soc/soc_config.h"

namespace presil::placement {

/// Has it a layer of an engine from outside?
bool has_outside(const Placed& placed);

/// Their layers that are not faster than what computes the same operators in `without`: each with
/// all layers that have to do with those operators, so that what is fused on one side counts on
/// both. @pre both have a plan and are of the same operators
std::vector<Learnt> slow_outside(const Placed& with, const Placed& without,
                                 const SocConfig& config);

/// Of a layer, as planned; what has no tiles to be planned takes what it takes by itself.
Cycle cycles_of(const Placed& placed, int index, const SocConfig& config);
/// Of all layers, one after another, as estimated.
Cycle cycles_of(const Placed& placed, const SocConfig& config);

}  // namespace presil::placement
