#include "models/common/attribution.h"

namespace presil {

std::string name_of(Cause cause) {
  static constexpr const char* kNames[] = {
      "run",         "feature_bank", "weights",         "post",          "start",
      "read_credit", "dram_row",     "dram_turnaround", "dram_refresh",  "dram_busy",
      "write_queue", "sram_port",    "drain",           "load_use",      "branch",
      "divide",      "far_load",     "vector_queue",    "vector_result", "sram_bank",
      "own_dma",     "fetch"};
  static constexpr const char* kGroups[] = {"wait", "wait_in", "wait_weights", "wait_out"};
  static constexpr const char* kWho[kSignallers] = {"dla", "dsp", "host", "dma"};
  static_assert(sizeof kNames / sizeof kNames[0] == static_cast<size_t>(Cause::kWait));
  const size_t i = static_cast<size_t>(cause);
  const size_t first_wait = static_cast<size_t>(Cause::kWait);
  if (i < first_wait) return kNames[i];
  const size_t wait = i - first_wait;
  return std::string(kGroups[wait / kSignallers]) + ":" + kWho[wait % kSignallers];
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
