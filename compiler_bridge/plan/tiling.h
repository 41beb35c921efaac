// Tiles of a DLA layer: rectangles of output pixels times ranges of output channel blocks times,
// where sums are made in parts, ranges of input channel blocks. Each is one command for each of its
// runs; and the part of the input that each needs.
#pragma once

#include <vector>

#include "compiler_bridge/plan/layout.h"
#include "compiler_bridge/plan/runs.h"

namespace presil::plan {

/// Output pixels [y0, y1) x [x0, x1), before upsample2, of output blocks [b0, b1), which its runs
/// make. All parts of sums but the last leave int32 sums, all but the first go on from them.
struct Tile {
  int y0 = 0, y1 = 0, x0 = 0, x1 = 0, b0 = 0, b1 = 0;
  std::vector<Run> runs = {};
  bool first = true, last = true;
  /// Input blocks [c0, c1) that it reads.
  int c0() const { return runs.front().c0; }
  int c1() const { return runs.back().c1(); }
  int rows() const { return y1 - y0; }
  int columns() const { return x1 - x0; }
  int blocks() const { return b1 - b0; }
};

/// Input pixels [y0, y1) x [x0, x1) that a tile reads, and the padding it still sees.
struct Window {
  int y0 = 0, y1 = 0, x0 = 0, x1 = 0, pad_top = 0, pad_left = 0;
  int rows() const { return y1 - y0; }
  int columns() const { return x1 - x0; }
  bool operator==(const Window& o) const {
    return y0 == o.y0 && y1 == o.y1 && x0 == o.x0 && x1 == o.x1;
  }
};

/// How a layer is cut: largest extents of a tile, and which loop is outside.
struct Tiling {
  int rows = 0, columns = 0, blocks = 0;
  bool blocks_outer = true;  ///< for blocks { for pixels }: each weight set is loaded once
  int depth = 2;             ///< tile buffers per stream: 2 loads one tile while another computes
  int in_blocks = 0;         ///< of a part of the sums, the innermost loop; 0: all at once
};

Window window_of(const layer::DlaLayer& layer, const Tile& tile);

/// Outputs that are farther apart than one command's strides reach are a tile each.
bool one_by_one(int stride, int outputs);

/// Outputs of one axis that one tile covers: [begin, end).
struct Part {
  int begin = 0, end = 0;
};
/// Output rows (columns) cut into parts of at most `most`. Where a pool divides by the taps inside
/// the image, those of a part are as many for all of its outputs.
std::vector<Part> row_parts(const layer::DlaLayer& layer, int most);
std::vector<Part> column_parts(const layer::DlaLayer& layer, int most);
/// Rows of parts times columns of parts.
int count_parts(const layer::DlaLayer& layer, int rows, int columns);

/// Taps of the window that lie inside the image, for the tile's first output: of all of them where
/// the layer divides by their number.
int taps_inside(const layer::DlaLayer& layer, const Tile& tile);

/// The tiles of any one pixel, in their order: parts of sums follow each other. Sums are made in
/// parts of one run at a time.
std::vector<Tile> block_tiles(const std::vector<Run>& runs, const Tiling& tiling);

/// All tiles in the order of execution.
std::vector<Tile> tiles_of(const layer::DlaLayer& layer, const std::vector<Run>& runs,
                           const Tiling& tiling);

/// The most input rows (columns) that a tile of `out` output rows (columns) reads.
int window_rows(const layer::DlaLayer& layer, int out);
int window_columns(const layer::DlaLayer& layer, int out);

/// Most columns that one command can compute: the accumulators hold at least one row.
int most_columns(const layer::DlaLayer& layer, const DlaConfig& config);
/// Columns of a tile of a transposition: as many as its matrix picks, or as large a part of them as
/// the accumulators hold.
int diagonal_columns(const layer::DlaLayer& layer, const DlaConfig& config);

/// Largest parts when `whole` is cut into 1, 2, 3, ... nearly equal parts: descending, distinct.
std::vector<int> part_sizes(int whole, int unit = 1);

}  // namespace presil::plan
