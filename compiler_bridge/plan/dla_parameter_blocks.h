// Parameters, tables and weights of a DLA layer: packed into the image, loaded tile by tile, or
// made from what the graph computes.
#pragma once

#include <utility>
#include <vector>

#include "compiler_bridge/layer/dla_layer.h"
#include "compiler_bridge/plan/ring_state.h"
#include "compiler_bridge/plan/scheduling.h"

namespace presil::plan {

/// Channels in an output block.
int channels_in_block(const Layout& layout, const layer::DlaLayer& layer, int block);

class DlaParameterBlocks {
 public:
  explicit DlaParameterBlocks(Scheduling& scheduling) : m_s(scheduling) {}

  /// Of this layer from now on.
  void begin(const layer::DlaLayer& layer) {
    m_layer = &layer;
    m_packed.clear();
  }
  /// What a matrix that the graph computes requires before it is weights: parameters and its rows
  /// in their sets, biases corrected, by the DLA of this queue. The tile then finds all of it in
  /// the ring.
  void make_weights(const Tile& tile, RingState& ring, uint32_t number, uint8_t queue);
  /// @return where it lies in the SRAM
  uint64_t load(const Tile& tile, RingState& ring, const Slots& slots, uint32_t number);

 private:
  struct Packed {
    int block = 0, in_block = 0;
    uint64_t offset = 0, bytes = 0;
  };
  RingKey key_of(const Tile& tile) const;
  /// Packs each range of blocks once, however often it is loaded; of images of a batch, for all.
  /// @return offset and bytes
  std::pair<uint64_t, uint64_t> in_image(const Tile& tile);

  Scheduling& m_s;
  const layer::DlaLayer* m_layer = nullptr;
  std::vector<Packed> m_packed;
};

}  // namespace presil::plan
