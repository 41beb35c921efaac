// DMA commands from what they move. Waits, tags and signals are not theirs.
#pragma once

#include <vector>

#include "compiler_bridge/common/moves.h"
#include "compiler_bridge/plan/forms.h"
#include "compiler_bridge/plan/view.h"
#include "rtl/dma/dma_command.h"

namespace presil::plan {

struct DmaCopy {
  dma::Command command;
  std::vector<Access> accesses;
};

/// One run of bytes.
DmaCopy copy_bytes(Space from_space, uint64_t from, Space to_space, uint64_t to, uint64_t bytes);

/// Rows in loops from one region to another; loops of more turns than a command has take several.
/// @param from, to  where the tensors begin
/// @param flip bit 7 of every byte on its way
std::vector<DmaCopy> copy_rows(const common::Move& move, Space from_space, uint64_t from,
                               Space to_space, uint64_t to, bool flip_sign);

/// Pixels from one address to another, of the same form and size.
DmaCopy copy_view(const View& from, const View& to);

/// NHWC pixels to words (padding channels become 0) or dense rows, and back. Elements that the
/// command cannot hold (more than 4095 channels, no multiple of 16) take two commands.
/// @param flip bit 7 of every byte on its way
std::vector<DmaCopy> load_linear(const LinearView& from, const View& to, bool flip_sign);
std::vector<DmaCopy> store_linear(const View& from, const LinearView& to, bool flip_sign);

/// Weight sets of a 1x1 convolution in the SRAM (rtl/dla/README.md): lane c of row k of set
/// (kb, cb) is input channel macs_c * cb + c of output channel macs_k * kb + k.
struct WeightSets {
  uint64_t base = 0;
  uint32_t kb_pitch = 0, cb_pitch = 0;
  uint32_t macs_k = 16, macs_c = 16;
  int8_t zero = 0;  ///< of lanes that no channel has
};

/// A row of pixels as weights: pixels are output channels.
std::vector<DmaCopy> copy_to_sets(const View& from, const WeightSets& to);
std::vector<DmaCopy> load_sets(const LinearView& from, const WeightSets& to, bool flip_sign);
/// The second half of the lanes of the last sets, where an odd number of blocks of 16 leaves it
/// unused. @param rows output channels
std::vector<DmaCopy> fill_sets(int rows, int blocks, const WeightSets& to);

}  // namespace presil::plan
