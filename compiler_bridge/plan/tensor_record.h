// Where each tensor can be looked at while a network runs: for checks of every layer, and
// debuggers.
#pragma once

#include <vector>

#include "compiler_bridge/plan/addresses.h"

namespace presil::plan {

/// Where a tensor is whole, and after which command.
struct TensorRecord {
  bool placed = false;     ///< it lies somewhere
  bool completed = false;  ///< by a command: no input, no constant
  Space space = kSram;
  uint64_t offset = 0;
  bool flat = false;  ///< NHWC; else C16
  uint32_t x_pitch = 0, row_pitch = 0, block_pitch = 0;
  uint64_t bytes = 0;
  uint32_t complete_tag = 0;
  std::vector<uint32_t> other_tags;  ///< commands of other queues that must have ended besides
  std::vector<int> lane_channel;     ///< C16
};

/// By tensor of the graph; `completed` and `complete_tag` are still to be filled in. A tensor is
/// looked at in its linear buffer, where it has one; else in its storage, as long as a layer reads
/// it there (what nothing reads may be overwritten tile by tile before its last tile is made). What
/// a load inverts on its way is looked at where it comes from.
std::vector<TensorRecord> record_tensors(const ir::Graph& graph, const Layout& layout,
                                         const Addresses& places);

}  // namespace presil::plan
