// Cycles of DLA commands, each found once: tilings of layers, and layers, share many commands.
#pragma once

#include <array>
#include <unordered_map>

#include "compiler_bridge/plan/cost.h"

namespace presil::plan {

class CommandTimes {
 public:
  explicit CommandTimes(const DlaConfig& config) : m_config(config) {}

  const ComputeCycles& of(const dla::Command& command);
  /// Cycles of commands that were looked at, those of each as far as it may have been played.
  uint64_t played() const { return m_played; }

 private:
  using Words = std::array<uint32_t, dla::Command::kWords>;
  struct Hash {
    size_t operator()(const Words& words) const;
  };

  DlaConfig m_config;
  uint64_t m_played = 0;
  std::unordered_map<Words, ComputeCycles, Hash> m_times;
};

}  // namespace presil::plan
