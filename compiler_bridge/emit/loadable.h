// A schedule as a .presil file (rtl/soc/loadable.fbs).
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/emit/sram_use.h"
#include "compiler_bridge/partition/partition.h"
#include "compiler_bridge/plan/schedule.h"

namespace presil::emit {

/// All that a loadable says. The references must outlive the call of write_loadable.
struct LoadableParts {
  const ir::Graph& imported;
  const ir::Graph& graph;  ///< the one that was partitioned; tensors [0, imported) are the same
  const partition::Partition& partition;
  const plan::Layout& layout;
  const plan::Plan& plan;
  plan::Schedule& schedule;  ///< its image moves into the file
  const std::vector<SramUse>& sram;
  const SocConfig& config;
  bool strip = false;  ///< leave out the imported graph
};

/// The bytes of the file. Checks every command against its contract first; one that does not pass
/// is a defect of the compiler (std::logic_error with the command's text).
std::vector<uint8_t> write_loadable(const LoadableParts& parts);

}  // namespace presil::emit
