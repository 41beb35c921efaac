// Where an engine's cycles went: each cycle of an engine belongs to exactly one cause, so that
// run + all stalls + idle = total. The causes are those of the engines' counters
// (rtl/soc/causes.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/soc/soc_config.h"
#include "rtl/soc/causes.h"

namespace presil {

/// The cause of a wait for `signaller`; `group` is the first of its causes: kWait, kWaitIn, ...
constexpr Cause wait_for(Cause group, Signaller signaller) {
  return static_cast<Cause>(static_cast<unsigned>(group) + static_cast<unsigned>(signaller));
}

/// "run", "feature_bank", "wait_in:dma", ...: as in run.json.
std::string name_of(Cause cause);
/// kCount for a name that is none.
Cause cause_of(std::string_view name);

/// Cycles per cause.
class Attribution {
 public:
  void add(Cause cause, Cycle cycles) { m_cycles[static_cast<size_t>(cause)] += cycles; }
  Cycle operator[](Cause cause) const { return m_cycles[static_cast<size_t>(cause)]; }
  Cycle busy() const { return (*this)[Cause::kRun]; }
  Cycle total() const;
  Attribution& operator+=(const Attribution& other);
  Attribution operator-(const Attribution& other) const;

 private:
  std::array<Cycle, static_cast<size_t>(Cause::kCount)> m_cycles{};
};

}  // namespace presil
