#include "compiler_bridge/plan/outside_schedule.h"

#include <algorithm>
#include <stdexcept>

namespace presil::plan {
namespace {

engine::Address address_of(const View& view) {
  if (view.x_step != kWordBytes || !view.words) {
    throw std::logic_error("plan: a tensor of an engine from outside has gaps between its pixels");
  }
  return {static_cast<uint32_t>(view.base), view.row_pitch, view.block_pitch};
}

}  // namespace

void OutsideScheduler::add(const layer::Work& work) {
  const OutsideShape shape = outside_shape(m_s.layout, m_s.step);
  const LayerPlan& plan = m_s.layer_plan();
  std::vector<RingState> rings;
  for (size_t i = 0; i < shape.operands.size(); ++i) {
    const bool result = i == shape.reads();
    rings.emplace_back(
        plan.outside.operands[i],
        result ? m_s.first_slot() : m_s.slot_from(plan.outside.operand_from[i], m_s.queues.loads));
  }
  RingState constants(plan.parameter_block,
                      m_s.slot_from(plan.parameter_block_from, m_s.queues.weights));
  const std::vector<engine::Tile> tiles =
      outside_tiles(shape, plan.outside.rows, plan.outside.blocks);
  for (size_t i = 0; i < tiles.size(); ++i) {
    const engine::Tile& tile = tiles[i];
    const auto number = static_cast<uint32_t>(i);
    const int slot = m_s.program.next_slot();
    const Slots slots{slot, slot + 1};
    ProgramBuilder::Entry e;
    e.queue = queue_of(shape, tile);
    e.layer = m_s.layer;
    e.tile = number;
    const auto touch = [&](const View& view, bool write) {
      const std::vector<Access> more = accesses(view, write ? Gate::kOut : Gate::kIn, write);
      e.accesses.insert(e.accesses.end(), more.begin(), more.end());
    };
    std::vector<engine::Address> reads;
    for (size_t k = 0; k < shape.reads(); ++k) {
      const engine::Part part = shape.engine->compiler->reads(work, k, tile);
      const View from = view(shape, k, part, rings[k], slots, number);
      touch(from, false);
      reads.push_back(address_of(from));
      const bool last = i + 1 == tiles.size();
      if (k == 0) m_moves.load_arriving(last ? shape.buffers[0]->extent.h : part.y1, number);
    }
    const uint32_t table = load_constants(shape, tile, constants, slots, number);
    if (plan.parameter_block.used()) {
      e.accesses.push_back(
          {kSram, Gate::kIn, false, table, table + plan.parameter_block.entry_bytes});
    }
    const View made = view(shape, shape.reads(), tile, rings.back(), slots, number);
    touch(made, true);
    const TensorId output = shape.result().tensor;
    if (m_s.places.kept(output).keep == Keep::kSram) {
      e.completes = m_s.layout.sharing_storage(output);
    }
    e.word =
        OutsideCommand(*shape.engine->description,
                       shape.engine->compiler->command(work, tile, reads, address_of(made), table));
    m_s.program.compute(std::move(e));
    m_moves.store_tile(output, shape.result().extent->w, outside_window(shape, shape.reads(), tile),
                       tile.b0, tile.b1, made, number);
  }
  m_moves.all_arrived();
}

uint8_t OutsideScheduler::queue_of(const OutsideShape& shape, const engine::Tile& tile) {
  const engine::Instance of = shape.engine->in(m_s.config);
  std::vector<Cycle>& busy = m_busy[shape.engine->name];
  busy.resize(std::max(1u, of.engine.units));
  const auto first = std::min_element(busy.begin(), busy.end());
  if (busy.size() > 1) *first += shape.engine->compiler->cycles(*shape.work, tile, of);
  return shape.engine->queue(static_cast<unsigned>(first - busy.begin()));
}

View OutsideScheduler::view(const OutsideShape& shape, size_t operand, const engine::Part& part,
                            RingState& ring, const Slots& slots, uint32_t number) {
  const layer::Operand& of = shape.operands[operand];
  const Window window = outside_window(shape, operand, part);
  if (!ring.used()) return m_s.places.stored(of.tensor, of.extent->w, window, part.b0, part.b1);
  const auto turn =
      ring.take({window.y0, window.y1, window.x0, window.x1, part.b0, part.b1}, slots);
  const View view = m_s.places.tiled(of.tensor, window, part.b0, part.b1, turn.buffer);
  if (turn.fresh && !of.write) {
    m_moves.load_tile(of.tensor, of.extent->w, window, part.b0, part.b1, view, turn.slot, number);
  }
  return view;
}

uint32_t OutsideScheduler::load_constants(const OutsideShape& shape, const engine::Tile& tile,
                                          RingState& ring, const Slots& slots, uint32_t number) {
  if (!ring.used()) return 0;
  const std::vector<uint8_t> bytes = shape.engine->compiler->constants(*shape.work, tile);
  const auto turn = ring.take({tile.y0, tile.y1, tile.b0, tile.b1, 0, 0}, slots);
  const uint64_t at = m_s.plan.offset_of(turn.buffer);
  const uint64_t offset = m_s.schedule.image.add(bytes, PRESIL_BURST_BYTES);
  m_s.program.before(turn.slot, m_s.entry(copy_bytes(region_space(PRESIL_REGION_CONSTANTS), offset,
                                                     kSram, at, bytes.size()),
                                          m_s.queues.weights, number));
  return static_cast<uint32_t>(at);
}

}  // namespace presil::plan
