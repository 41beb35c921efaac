// What a plan decides, as a value: what it says is done, the rest is searched for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler_bridge/plan/plan.h"

namespace presil::plan {

struct Decisions {
  std::optional<int> prefetch;            ///< layers that weights are loaded ahead
  std::map<std::string, Tiling> tilings;  ///< of the DLA's layers, by name
  std::map<std::string, bool> kept;       ///< whether a blocked buffer is in the SRAM whole

  /// Null: nothing is said of it.
  const Tiling* tiling_of(const std::string& layer) const;
};

/// All that a plan has decided.
Decisions decisions_of(const Layout& layout, const Plan& plan);

/// By blocked buffer the name of the first layer that makes it, or "NAME/input" of the first one
/// that reads it.
std::vector<std::string> buffer_names(const Layout& layout);

/// Refuses (presil::Refusal) what was said and is not what the plan does: names that it lacks,
/// tilings that a layer does not have, buffers that cannot be where they were to be.
void check_decided(const Decisions& said, const Decisions& done);

bool operator==(const Tiling& a, const Tiling& b);
std::string to_string(const Tiling& tiling);

}  // namespace presil::plan
