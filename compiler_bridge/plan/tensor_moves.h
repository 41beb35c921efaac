// DMA commands between tensors in memory and the blocked buffers of engines:
// whole, row by row, or a tile's part.
#pragma once

#include "compiler_bridge/plan/scheduling.h"

namespace presil::plan {

class TensorMoves {
 public:
  explicit TensorMoves(Scheduling& scheduling) : m_s(scheduling) {}

  /// Whole, what this step is the first to read; the rows of its input come as its tiles require
  /// them.
  void load_blocked_buffers();
  /// Loads the rows that a tile reads and that are not there yet; after the last tile, all others.
  void load_arriving(int until, uint32_t tile);
  void all_arrived() { m_arriving = nullptr; }

  /// Puts the load of a window of a tensor that is kept outside.
  void load_tile(TensorId t, int columns, const Window& w, int b0, int b1, const View& to, int slot,
                 uint32_t tile, bool last = false);
  /// Puts the stores of what a tile has computed, to wherever it is read outside.
  void store_tile(TensorId t, int columns, const Window& w, int b0, int b1, const View& from,
                  uint32_t tile);

 private:
  bool comes_with_tiles(const Load& load) const;
  void load_rows(const Load& load, int y0, int y1, uint32_t tile);

  Scheduling& m_s;
  const Load* m_arriving = nullptr;  ///< the load that is put row by row,
  int m_arrived = 0;                 ///< and the rows put so far
};

}  // namespace presil::plan
