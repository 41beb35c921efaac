// Where a core's time went in a job, as the answer to a client has it.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/host_cpu/host_cpu.h"

namespace presil::platform {

/// Adds `functions` (name, cycles, instructions, entries; the first is sleep), `spans` (begin, end
/// in cycles of the SoC, index of the function) and `spans_left_out`, where they were asked for.
inline void add_core_profile(const host_cpu::HostCpu& cpu, nlohmann::json& account) {
  const host_cpu::CoreProfile* profile = cpu.profile();
  if (profile == nullptr) return;
  nlohmann::json& functions = account["functions"] = nlohmann::json::array();
  for (const auto& f : profile->functions())
    functions.push_back({f.name, f.cycles, f.instructions, f.entries});
  nlohmann::json& spans = account["spans"] = nlohmann::json::array();
  const int64_t offset = cpu.soc_offset();
  for (const auto& s : profile->spans()) {
    spans.push_back(
        {static_cast<int64_t>(s.begin) + offset, static_cast<int64_t>(s.end) + offset, s.function});
  }
  account["spans_left_out"] = profile->left_out();
}

}  // namespace presil::platform
