// What the weight loader of the DLA reads, as bytes: channel parameters, table, weight sets of a
// range of output blocks, one after another, so that one DMA command copies them all.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/plan/layout.h"
#include "compiler_bridge/plan/tiling.h"

namespace presil::plan {

inline constexpr uint32_t kParamBytes = 144;  ///< of 16 channels: bias, multiplier, shift

/// What one command finds where in the bytes of its tile; pitches of rtl/dla/README.md.
struct RunParameterBlock {
  uint32_t params = 0, lut = 0, weights = 0;
  /// A pixel for the correction of the bias (layer::DlaLayer::in_zero): a word for each input
  /// block.
  uint32_t pixel = 0;
  uint32_t kb_pitch = 0, cb_pitch = 0;
  bool has_params = false, has_lut = false, has_weights = false;
};

/// Is the convolution computed on dense rows, kernel columns and channels packed into lanes?
bool is_packed(const layer::DlaLayer& layer, const BlockedBuffer& input);

/// Parameters of all output blocks, one table, a correction's pixel, weight sets of one run after
/// another.
struct ParameterBlock {
  std::vector<RunParameterBlock> runs;
  uint32_t bytes = 0;
};
/// @param runs  of a tile
ParameterBlock parameter_block_of(const layer::DlaLayer& layer, bool packed,
                                  const std::vector<Run>& runs, const DlaConfig& config);

/// The bytes; of computed weights all that lies before them. Padding lanes, and those of channels
/// that are not the group's, get weight_zero; padding lanes bias, multiplier, shift 0.
std::vector<uint8_t> pack_parameter_block(const layer::DlaLayer& layer, bool packed,
                                          const Lanes& in, const Lanes& out,
                                          const std::vector<Run>& runs, const DlaConfig& config);

}  // namespace presil::plan
