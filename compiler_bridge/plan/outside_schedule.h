// The commands of layers of engines from outside, tile by tile, with the DMA's around them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler_bridge/plan/engine_scheduler.h"
#include "compiler_bridge/plan/outside_plan.h"
#include "compiler_bridge/plan/ring_state.h"
#include "compiler_bridge/plan/tensor_moves.h"

namespace presil::plan {

class OutsideScheduler : public EngineScheduler {
 public:
  OutsideScheduler(Scheduling& scheduling, TensorMoves& moves) : m_s(scheduling), m_moves(moves) {}

  void add(const layer::Work& work) override;

 private:
  /// Of one operand: where it is kept, or in the buffer that the tile has.
  View view(const OutsideShape& shape, size_t operand, const engine::Part& part, RingState& ring,
            const Slots& slots, uint32_t number);
  /// @return where a tile's constants lie
  uint32_t load_constants(const OutsideShape& shape, const engine::Tile& tile, RingState& ring,
                          const Slots& slots, uint32_t number);

  /// The queue of the instance that is free first, by what the engine estimates of its tiles so
  /// far; the tile is its next one.
  uint8_t queue_of(const OutsideShape& shape, const engine::Tile& tile);

  Scheduling& m_s;
  TensorMoves& m_moves;
  std::map<std::string, std::vector<Cycle>> m_busy;  ///< by engine and instance: cycles so far
};

}  // namespace presil::plan
