#include "sim/host_cpu/core_profile.h"

namespace presil::host_cpu {

void CoreProfile::begin(uint64_t cycle) {
  m_functions.assign(1, {"asleep (WFI)", 0, 0, 0});
  m_by_name.clear();
  m_by_pc.clear();
  m_spans.clear();
  m_left_out = 0;
  m_since = cycle;
  m_now = kAsleep;
}

uint32_t CoreProfile::function_of(uint64_t pc) {
  const auto [at, made] = m_by_pc.try_emplace(pc, 0);
  if (!made) return at->second;
  const std::string place = m_function_at(pc);
  const std::string name = place.empty() ? "no function" : place.substr(0, place.find(" + "));
  const auto [known, added] =
      m_by_name.try_emplace(name, static_cast<uint32_t>(m_functions.size()));
  if (added) m_functions.push_back({name, 0, 0, 0});
  return at->second = known->second;
}

void CoreProfile::enter(uint32_t function, uint64_t cycle) {
  if (function == m_now) return;
  close(cycle);
  m_now = function;
  ++m_functions[function].entries;
}

void CoreProfile::close(uint64_t cycle) {
  if (cycle <= m_since) return;
  m_functions[m_now].cycles += cycle - m_since;
  if (m_spans.size() < kMostSpans)
    m_spans.push_back({m_since, cycle, m_now});
  else
    ++m_left_out;
  m_since = cycle;
}

void CoreProfile::sleeps(uint64_t from, uint64_t until) {
  enter(kAsleep, from);
  close(until);
}

}  // namespace presil::host_cpu
