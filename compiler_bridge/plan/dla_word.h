// The DLA command of one run of a tile. Waits, tag and signal are not its.
#pragma once

#include "compiler_bridge/plan/pack.h"
#include "compiler_bridge/plan/tiling.h"
#include "compiler_bridge/plan/view.h"
#include "rtl/dla/dla_command.h"

namespace presil::plan {

/// Where everything of a run lies in the SRAM.
struct RunViews {
  View input;    ///< the tile's window, the blocks that the run reads
  View output;   ///< the tile's pixels, doubled by upsample2, the blocks that the run makes
  View operand;  ///< the tile's pixels, or one pixel for all
  bool broadcast = false;
  View sums;  ///< of a layer in parts: the tile's pixels as int32
  uint64_t parameter_block_at = 0;
  RunParameterBlock parameter_block;  ///< in the bytes from there on
};

inline constexpr uint32_t kSumsBytes = 64;  ///< 16 channels of a pixel as int32
View sums_view(const Tile& tile, uint64_t base);

/// @param lanes_last channels of the run's last output block
dla::Command dla_word(const layer::DlaLayer& layer, bool packed, const Tile& tile, const Run& run,
                      const Window& window, const RunViews& views, int lanes_last,
                      const DlaConfig& config);

}  // namespace presil::plan
