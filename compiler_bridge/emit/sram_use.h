// What lies in the SRAM, and which commands touch it: with the commands' times, what the SRAM holds
// over time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler_bridge/plan/schedule.h"

namespace presil::emit {

/// A buffer of the plan: bytes [begin, end), held from step `first` to step `last`.
struct SramUse {
  std::string what;  ///< "tensor conv2d_1", "weights, parameters, table of conv2d_2"
  uint64_t begin = 0, end = 0;
  int first = 0, last = 0;
  std::vector<uint32_t> commands;  ///< tags of those that touch it, in program order
};

std::vector<SramUse> sram_use(const ir::Graph& graph, const ir::Graph& imported,
                              const plan::Layout& layout, const plan::Plan& plan,
                              const plan::Schedule& schedule);

}  // namespace presil::emit
