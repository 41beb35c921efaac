// DMA commands from what they move. Waits, tags and signals are not theirs.
#pragma once

#include <vector>

#include "compiler_bridge/plan/view.h"
#include "rtl/dma/dma_command.h"

namespace presil::plan {

struct DmaCopy {
  dma::Command command;
  std::vector<Access> accesses;
};

/// One run of bytes.
DmaCopy copy_bytes(Space from_space, uint64_t from, Space to_space, uint64_t to, uint64_t bytes);

/// Pixels from one place to another, of the same form and size.
DmaCopy copy_view(const View& from, const View& to);

/// NHWC pixels to words (padding channels become 0) or dense rows, and back. Elements that the
/// command cannot hold (more than 4095 channels, no multiple of 16) take two commands.
/// @param flip bit 7 of every byte on its way
std::vector<DmaCopy> load_flat(const FlatView& from, const View& to, bool flip);
std::vector<DmaCopy> store_flat(const View& from, const FlatView& to, bool flip);

}  // namespace presil::plan
