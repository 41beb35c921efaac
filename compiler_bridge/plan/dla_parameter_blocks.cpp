#include "compiler_bridge/plan/dla_parameter_blocks.h"

#include <algorithm>

#include "compiler_bridge/plan/computed_weights.h"

namespace presil::plan {

int channels_in_block(const Layout& layout, const layer::DlaLayer& layer, int block) {
  const std::vector<int> channel = layout.place(layer.output).lanes.channel_of_lane();
  const auto first = channel.begin() + block * 16;
  return static_cast<int>(std::count_if(first, first + 16, [](int c) { return c >= 0; }));
}

RingKey DlaParameterBlocks::key_of(const Tile& tile) const {
  return {tile.b0, tile.b1, tile.c0(), tile.c1(), m_layer->weights_by_row ? tile.y0 : 0, 0};
}

void DlaParameterBlocks::make_weights(const Tile& tile, RingState& ring, uint32_t number,
                                      uint8_t queue) {
  const int slot = m_s.program.next_slot();
  const auto turn = ring.take(key_of(tile), {slot, slot + 1});
  if (!turn.fresh) return;
  const uint64_t at = m_s.plan.offset_of(turn.buffer);
  const Run& run = tile.runs.front();  // no groups: there is one
  const ParameterBlock parameter_block =
      parameter_block_of(*m_layer, m_s.layer_plan().packed, tile.runs, m_s.config.dla);
  const auto put = [&](DmaCopy copy) {
    m_s.program.before(turn.slot, m_s.entry(std::move(copy), m_s.queues.weights, number));
  };
  const auto [offset, bytes] = in_image(tile);
  put(copy_bytes(region_space(PRESIL_REGION_CONSTANTS), offset, kSram, at, bytes));
  const WeightSets sets = weight_sets(*m_layer, parameter_block.runs.front(), at, m_s.config.dla);
  const Extent matrices = extent_of(m_s.graph.tensor(m_layer->weights_from));
  for (DmaCopy& copy : weight_copies(*m_layer, tile, matrices, m_s.layout, m_s.places, sets)) {
    put(std::move(copy));
  }
  for (int i = 0; i < corrections(*m_layer); ++i) {
    ProgramBuilder::Entry e;
    e.queue = queue;
    e.word = correction_word(*m_layer, run, parameter_block.runs.front(), at,
                             channels_in_block(m_s.layout, *m_layer, run.b1 - 1));
    e.layer = m_s.layer;
    e.tile = number;
    e.accesses = correction_accesses(run, parameter_block, at);
    m_s.program.compute(std::move(e));
  }
}

uint64_t DlaParameterBlocks::load(const Tile& tile, RingState& ring, const Slots& slots,
                                  uint32_t number) {
  if (!ring.used()) return 0;
  if (m_s.layer_plan().weights_resident) {
    return m_s.plan.offset_of(m_s.layer_plan().parameter_block.buffers.front());
  }
  const auto turn = ring.take(key_of(tile), slots);
  const uint64_t at = m_s.plan.offset_of(turn.buffer);
  if (turn.fresh) {
    const auto [offset, bytes] = in_image(tile);
    DmaCopy copy = copy_bytes(region_space(PRESIL_REGION_CONSTANTS), offset, kSram, at, bytes);
    int slot = turn.slot;
    if (m_s.arrival.step != kNone && m_s.arrival.waits <= m_s.step &&
        m_s.arrival.step <= m_s.layer_plan().parameter_block_from && slot <= m_s.arrival.slot) {
      slot = m_s.arrival.slot;
      copy.accesses.push_back(ordered(kArrived, false));
    }
    m_s.program.before(slot, m_s.entry(std::move(copy), m_s.queues.weights, number));
  }
  return at;
}

std::pair<uint64_t, uint64_t> DlaParameterBlocks::in_image(const Tile& tile) {
  for (const Packed& parameter_block : m_packed) {
    if (parameter_block.block == tile.b0 && parameter_block.in_block == tile.c0())
      return {parameter_block.offset, parameter_block.bytes};
  }
  const std::vector<uint8_t> bytes = pack_parameter_block(
      *m_layer, m_s.layer_plan().packed, m_s.layout.place(m_layer->input).lanes,
      m_s.layout.place(m_layer->output).lanes, tile.runs, m_s.config.dla);
  Image& image = m_s.schedule.image;
  const bool batch = !m_s.layout.images.empty();
  const uint64_t offset =
      batch ? image.share(bytes, PRESIL_BURST_BYTES) : image.add(bytes, PRESIL_BURST_BYTES);
  m_packed.push_back({tile.b0, tile.c0(), offset, bytes.size()});
  return {m_packed.back().offset, m_packed.back().bytes};
}

}  // namespace presil::plan
