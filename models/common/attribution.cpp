#include "models/common/attribution.h"

#include <iterator>

namespace presil {

std::string name_of(Cause cause) {
  static_assert(std::size(kCauseNames) == static_cast<size_t>(kFirstWait));
  const size_t i = static_cast<size_t>(cause);
  if (i < std::size(kCauseNames)) return kCauseNames[i];
  const size_t wait = i - std::size(kCauseNames);
  return std::string(kWaitGroupNames[wait / kSignallers]) + ":" +
         kSignallerNames[wait % kSignallers];
}

Cause cause_of(std::string_view name) {
  size_t i = 0;
  while (i < static_cast<size_t>(Cause::kCount) && name_of(static_cast<Cause>(i)) != name) ++i;
  return static_cast<Cause>(i);
}

Cycle Attribution::total() const {
  Cycle sum = 0;
  for (Cycle cycles : m_cycles) sum += cycles;
  return sum;
}

Attribution& Attribution::operator+=(const Attribution& other) {
  for (size_t i = 0; i < m_cycles.size(); ++i) m_cycles[i] += other.m_cycles[i];
  return *this;
}

Attribution Attribution::operator-(const Attribution& other) const {
  Attribution difference = *this;
  for (size_t i = 0; i < m_cycles.size(); ++i) difference.m_cycles[i] -= other.m_cycles[i];
  return difference;
}

}  // namespace presil
