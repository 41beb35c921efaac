// The commands of the DLA's layers, tile by tile, with the DMA's around them.
#pragma once

#include "compiler_bridge/plan/dla_parameter_blocks.h"
#include "compiler_bridge/plan/dla_word.h"
#include "compiler_bridge/plan/engine_scheduler.h"
#include "compiler_bridge/plan/tensor_moves.h"

namespace presil::plan {

class DlaScheduler : public EngineScheduler {
 public:
  DlaScheduler(Scheduling& scheduling, TensorMoves& moves)
      : m_s(scheduling), m_moves(moves), m_parameter_blocks(scheduling) {}

  void add(const layer::Work& work) override;

 private:
  /// Where everything of a tile lies in the SRAM.
  struct TileViews {
    View input;    ///< its window, all blocks that its runs read
    View output;   ///< its pixels, doubled by upsample2
    View operand;  ///< its pixels, or one pixel for all
    bool broadcast = false;
    View sums;  ///< of a layer in parts: its pixels as int32
    uint64_t parameter_block_at = 0;
  };

  /// After the last step that makes a part of an interleaved tensor in the SRAM, all of it.
  void store_interleaved(TensorId part, int blocks, uint32_t number);
  bool broadcast(const layer::DlaLayer& layer) const;
  View input_view(const layer::DlaLayer& layer, const Tile& tile, const Window& window,
                  RingState& ring, const Slots& slots, uint32_t number, bool last);
  View operand_view(const layer::DlaLayer& layer, const Tile& tile, bool broadcast, RingState& ring,
                    const Slots& slots, uint32_t number);
  View output_view(const layer::DlaLayer& layer, const Tile& tile, const Window& made,
                   RingState& ring, const Slots& slots);
  /// One command for each run of the tile.
  void compute(const layer::DlaLayer& layer, const LayerPlan& plan, const Tile& tile,
               const Window& window, const TileViews& views, uint32_t number);
  void compute(const layer::DlaLayer& layer, const LayerPlan& plan, const Tile& tile,
               const Run& run, const Window& window, const RunViews& views,
               uint32_t parameter_block_bytes, uint32_t number);

  /// Tiles take turns on the DLAs; parts of one sum stay on one.
  void next_dla();

  Scheduling& m_s;
  uint8_t m_queue = PRESIL_QUEUE_DLA;  ///< of the tile under way
  unsigned m_turn = 0;                 ///< tiles of this layer so far
  TensorMoves& m_moves;
  DlaParameterBlocks m_parameter_blocks;
};

}  // namespace presil::plan
