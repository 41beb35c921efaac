// What lies where, and when: the memory map that `presil inspect` shows.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/emit/sram_use.h"

namespace presil::emit {

/// One line a buffer: first and last byte, steps in which it is alive, what it is; then the
/// regions.
std::string memory_map(const ir::Graph& graph, const plan::Layout& layout, const plan::Plan& plan,
                       const std::vector<SramUse>& uses, const SocConfig& config);

}  // namespace presil::emit
