// The DLA command of one tile. Waits, tag and signal are not its.
#pragma once

#include "compiler_bridge/plan/pack.h"
#include "compiler_bridge/plan/tiling.h"
#include "compiler_bridge/plan/view.h"
#include "rtl/dla/dla_command.h"

namespace presil::plan {

/// Where everything of a tile lies in the SRAM.
struct TileViews {
  View input;    ///< the tile's window
  View output;   ///< the tile's pixels, doubled by upsample2
  View operand;  ///< the tile's pixels, or one pixel for all
  bool broadcast = false;
  View sums;  ///< of a layer in parts: the tile's pixels as int32
  uint64_t blob = 0;
  BlobShape blob_shape;
};

inline constexpr uint32_t kSumsBytes = 64;  ///< 16 channels of a pixel as int32
View sums_view(const Tile& tile, uint64_t base);

/// @param lanes_last channels of the tile's last output block
dla::Command dla_word(const DlaLayer& layer, bool packed, const Tile& tile, const Window& window,
                      const TileViews& views, int lanes_last, const DlaConfig& config);

}  // namespace presil::plan
