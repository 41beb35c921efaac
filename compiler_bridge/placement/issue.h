// The order of layers: as the graph has them, or one in which engines wait less for each other.
#pragma once

#include <optional>

#include "compiler_bridge/placement/placed.h"
#include "compiler_bridge/plan/search.h"
#include "models/soc/soc_config.h"

namespace presil::placement {

/// The same layers planned in another order (plan/issue_order.h), by what they take in the plan
/// that there is. Nullopt: none ends earlier, as estimated, or it does not fit.
std::optional<Placed> in_issue_order(const Placed& placed, const SocConfig& config,
                                     plan::Search& search);

}  // namespace presil::placement
