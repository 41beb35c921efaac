#include "compiler_bridge/plan/command_times.h"

#include <algorithm>
#include <string_view>

namespace presil::plan {

size_t CommandTimes::Hash::operator()(const Words& words) const {
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(words.data()), sizeof(Words)});
}

const ComputeCycles& CommandTimes::of(const dla::Command& command) {
  Words words{};
  command.encode(words.data());
  const auto [it, fresh] = m_times.try_emplace(words);
  if (!fresh) return it->second;
  constexpr Cycle kMostPlayed = 8192;
  it->second = compute_cycles(command, m_config);
  m_played += static_cast<uint64_t>(std::min(it->second.first + it->second.more, kMostPlayed));
  return it->second;
}

}  // namespace presil::plan
