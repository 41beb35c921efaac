// Weights that the graph computes, a product of two computed matrices: rows of the second
// become weight sets when they are there, and the DLA corrects the bias for the first one's zero
// point.
//
//   sum (x - zx) * (w - zw) = sum x * (w - zw) + (-zx) * sum (w - zw)
//
// The command has zw; the second sum depends on the output channel alone. A command before it, of
// one pixel that is -zx in every channel, makes that sum, goes on from the bias and writes int32
// where the bias was: sums lie in the SRAM as biases do, 64 bytes for 16 channels. -zx may be 128,
// which no int8 is: then two such commands of 64.
#pragma once

#include "compiler_bridge/plan/addresses.h"
#include "compiler_bridge/plan/dma_copy.h"
#include "compiler_bridge/plan/pack.h"
#include "models/soc/soc_config.h"
#include "rtl/dla/dla_command.h"

namespace presil::plan {

/// Commands that correct the bias: 0, 1 or 2; and the value of their pixel.
int corrections(const layer::DlaLayer& layer);
int8_t correction_value(const layer::DlaLayer& layer);

/// @param run         the tile's, whose last block has `lanes_last` channels
/// @param at          where the tile's parameters, pixel and weights lie
dla::Command correction_word(const layer::DlaLayer& layer, const Run& run,
                             const RunParameterBlock& parameter_block, uint64_t at, int lanes_last);
/// The bytes of the parameter block that a correction reads and writes.
std::vector<Access> correction_accesses(const Run& run, const ParameterBlock& parameter_block,
                                        uint64_t at);

/// Where the weights of a tile lie.
WeightSets weight_sets(const layer::DlaLayer& layer, const RunParameterBlock& parameter_block,
                       uint64_t at, const DlaConfig& config);

/// What brings the rows of the matrix that are a tile's output channels into their sets.
/// @param matrices  extent of the tensor: a row is a matrix
std::vector<DmaCopy> weight_copies(const layer::DlaLayer& layer, const Tile& tile,
                                   const Extent& matrices, const Layout& layout,
                                   const Addresses& places, const WeightSets& sets);

}  // namespace presil::plan
