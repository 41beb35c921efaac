// What a kernel on the DSP is called with: its argument block (driver/include/presil/dsp_kernel.h)
// and its region table (rtl/dsp/README.md), as bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler_bridge/layer/dsp_layer.h"
#include "compiler_bridge/plan/order.h"
#include "compiler_bridge/plan/view.h"

namespace presil::plan {

/// Bytes that a command may touch; its number is its index in the list.
struct DspRegion {
  Space space = kSram;
  uint64_t offset = 0, bytes = 0;
  bool read = false, write = false;
  int tensor = -1;  ///< in the loadable's table of tensors; -1: none
};

/// As regions are numbered: inputs, outputs, scratch.
size_t region_count(const layer::DspLayer& layer);

/// Rows of an operand in a tile of the layer: its own of kRows, those that the window covers of
/// kWindow, one of what is not cut.
struct OperandRows {
  int64_t first = 0, count = 1;
};
OperandRows operand_rows(const layer::DspLayer& layer, const layer::DspOperand& operand,
                         int64_t first, int64_t rows);
/// The most that a tile of so many rows has of it.
uint64_t most_bytes(const layer::DspLayer& layer, const layer::DspOperand& operand, int64_t rows);

/// Regions 0, 1, .. are inputs, then outputs, then scratch; each tensor begins at its region's
/// first byte and lies dense, unless it is stored.
/// @param rows    of the tile, from `first` on
/// @param stored  the whole of each stored operand in its storage, in order; inputs first
std::vector<uint8_t> argument_block(const layer::DspLayer& layer, int64_t rows,
                                    const std::vector<View>& stored = {}, int64_t first = 0);
uint64_t argument_bytes(const layer::DspLayer& layer);

/// Refuses (presil::Refusal) what lies beyond 4 GiB of its space.
std::vector<uint8_t> region_table(const std::vector<DspRegion>& regions);

/// Where one buffer in the SRAM holds all that the commands of a layer find there besides tensors
/// that are made: constants, argument blocks, region tables.
struct DspParameterBlock {
  std::vector<uint64_t> constants;  ///< by operand, inputs first; of kWhole constants
  uint64_t args = 0, last_args = 0, args_bytes = 0;
  bool args_by_tile = false;  ///< of images cut into tiles: each begins another way
  /// Tiles take two buffers in turn, so two tables do for all whole tiles; the last one is another
  /// where it has fewer rows. Each tile has its own where an operand is a tile's part of what
  /// stays in the SRAM, or of an image.
  uint64_t tables = 0, table_bytes = 0;
  bool table_by_tile = false;
  uint64_t bytes = 0;

  uint64_t arguments(int64_t tile, bool whole) const {
    if (args_by_tile) return args + args_bytes * static_cast<uint64_t>(tile);
    return whole ? args : last_args;
  }
  uint64_t table(int64_t tile, bool whole) const {
    const int64_t by_turns = whole ? tile % 2 : 2;
    return tables + table_bytes * static_cast<uint64_t>(table_by_tile ? tile : by_turns);
  }
};
DspParameterBlock dsp_parameter_block(const layer::DspLayer& layer, int64_t tiles,
                                      bool table_by_tile = false);

/// Most rows of a tile where `tiles` of them are as even as can be.
inline int64_t rows_of_tile(const layer::DspLayer& layer, int64_t tiles) {
  return (layer.rows + tiles - 1) / tiles;
}

}  // namespace presil::plan
