// What the weight loader of the DLA reads, as bytes: channel parameters, table, weight sets of a
// range of output blocks, one after another, so that one DMA command brings them all.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/plan/layout.h"
#include "compiler_bridge/plan/tiling.h"

namespace presil::plan {

/// Offsets inside the bytes of one range of output blocks; pitches of rtl/dla/README.md.
struct BlobShape {
  uint32_t params = 0, lut = 0, weights = 0;
  uint32_t kb_pitch = 0, cb_pitch = 0;
  uint32_t bytes = 0;
  bool has_params = false, has_lut = false, has_weights = false;
};

/// Is the convolution computed on dense rows, kernel columns and channels packed into lanes?
bool is_packed(const DlaLayer& layer, const Storage& input);

/// @param blocks output blocks; in_blocks of the layer's input (packed: not looked at)
BlobShape blob_shape(const DlaLayer& layer, bool packed, int in_blocks, int blocks,
                     const DlaConfig& config);

/// The bytes for output blocks [b0, b1). Padding lanes get weight_zero, bias, multiplier, shift 0.
std::vector<uint8_t> pack_blob(const DlaLayer& layer, bool packed, const Lanes& in,
                               const Lanes& out, int b0, int b1, const DlaConfig& config);

}  // namespace presil::plan
