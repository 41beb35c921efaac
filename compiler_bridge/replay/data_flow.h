// Whose results a layer may read, from the graph that the loadable carries.
#pragma once

#include <set>
#include <vector>

#include "rtl/soc/loadable_generated.h"

namespace presil::replay {

/// By layer: itself, layers of the same operators (parts of one), and those that make what its
/// operators read; after layers without commands (views) those before them too. Its operators are
/// those that it names as its sources, and that make its outputs; a layer of which neither is known
/// reads all and is for all to read. Empty where the loadable carries no graph.
/// Refuses (presil::Refusal) a graph that does not hold together.
std::vector<std::set<int>> feeds(const loadable::Loadable& l);

}  // namespace presil::replay
