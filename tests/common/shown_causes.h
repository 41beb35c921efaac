// Where the cycles of a command went, for `presil coverage`.
#pragma once

#include "models/common/attribution.h"
#include "tests/common/shown.h"

namespace presil::test {

/// Every cause but work itself.
inline void show_causes(Shown& shown, const Attribution& cycles) {
  for (size_t i = 1; i < static_cast<size_t>(Cause::kCount); ++i) {
    const auto cause = static_cast<Cause>(i);
    shown.cause(std::string(name_of(cause)), static_cast<uint64_t>(cycles[cause]));
  }
}

}  // namespace presil::test
