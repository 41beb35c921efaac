#include "compiler_bridge/plan/dla_schedule.h"

#include <algorithm>

namespace presil::plan {

void DlaScheduler::add(const layer::Work& work) {
  const auto& layer = *work.as<layer::DlaLayer>();
  const LayerPlan& plan = m_s.layer_plan();
  m_parameter_blocks.begin(layer);
  RingState inputs(plan.input, m_s.slot_from(plan.input_from, m_s.queues.loads));
  RingState operands(plan.operand, m_s.slot_from(plan.operand_from, m_s.queues.loads));
  RingState outputs(plan.output, m_s.first_slot());
  RingState parameter_blocks(plan.parameter_block,
                             m_s.slot_from(plan.parameter_block_from, m_s.queues.weights));
  const std::vector<Tile> tiles = tiles_of(layer, plan.runs, plan.tiling);
  m_turn = 0;
  for (size_t i = 0; i < tiles.size(); ++i) {
    const Tile& tile = tiles[i];
    const auto number = static_cast<uint32_t>(i);
    if (tile.first) next_dla();
    if (layer.has_computed_weights())
      m_parameter_blocks.make_weights(tile, parameter_blocks, number, m_queue);
    const int slot = m_s.program.next_slot();
    const Slots slots{slot, slot + static_cast<int>(tile.runs.size())};
    const Window window = window_of(layer, tile);
    TileViews views;
    const bool last = i + 1 == tiles.size() && plan.needs_memory;
    views.input = input_view(layer, tile, window, inputs, slots, number, last);
    const int rows = i + 1 == tiles.size() ? m_s.places.storage(layer.input).extent.h : window.y1;
    m_moves.load_arriving(rows, number);
    views.parameter_block_at = m_parameter_blocks.load(tile, parameter_blocks, slots, number);
    if (layer.ew.operand != kNoTensor) {
      views.broadcast = broadcast(layer);
      views.operand = operand_view(layer, tile, views.broadcast, operands, slots, number);
    }
    const int rows_made = layer.rows_made(), columns_made = layer.columns_made();
    const Window made{tile.y0 * rows_made,
                      tile.y1 * rows_made,
                      tile.x0 * columns_made,
                      tile.x1 * columns_made,
                      0,
                      0};
    if (plan.sums.used()) {
      views.sums = sums_view(tile, m_s.plan.offset_of(plan.sums.buffers.front()));
    }
    if (tile.last) views.output = output_view(layer, tile, made, outputs, slots);
    compute(layer, plan, tile, window, views, number);
    if (!tile.last) continue;
    if (m_s.layout.place(layer.output).interleaved != kNoTensor &&
        m_s.places.kept(layer.output).keep == Keep::kSram) {
      if (i + 1 == tiles.size()) store_interleaved(layer.output, plan.runs.back().b1, number);
      continue;
    }
    m_moves.store_tile(layer.output, layer.out_w * columns_made, made, tile.b0, tile.b1,
                       views.output, number);
  }
  m_moves.all_arrived();
}

void DlaScheduler::next_dla() {
  const unsigned instance = m_turn++ % m_s.config.dla.units;
  m_queue = static_cast<uint8_t>(presil_first_queue(PRESIL_ENGINE_DLA, instance));
}

void DlaScheduler::store_interleaved(TensorId part, int blocks, uint32_t number) {
  const TensorId whole = m_s.layout.place(part).interleaved;
  for (int step = m_s.step + 1; step < m_s.layout.step_count(); ++step) {
    const auto* later = m_s.layout.layer_at(step).work.as<layer::DlaLayer>();
    if (later != nullptr && m_s.layout.place(later->output).interleaved == whole) return;
  }
  const Extent extent = extent_of(m_s.graph.tensor(whole));
  const Window all{0, extent.h, 0, extent.w, 0, 0};
  m_moves.store_tile(whole, extent.w, all, 0, blocks,
                     m_s.places.stored(whole, extent.w, all, 0, blocks), number);
}

bool DlaScheduler::broadcast(const layer::DlaLayer& layer) const {
  const Extent& e = m_s.places.storage(layer.ew.operand).extent;
  return e.h * e.w == 1;
}

View DlaScheduler::input_view(const layer::DlaLayer& layer, const Tile& tile, const Window& window,
                              RingState& ring, const Slots& slots, uint32_t number, bool last) {
  const int b0 = tile.c0(), b1 = tile.c1();
  if (!ring.used()) return m_s.places.stored(layer.input, layer.in_w, window, b0, b1);
  const auto turn = ring.take({window.y0, window.y1, window.x0, window.x1, b0, b1}, slots);
  const View view = m_s.places.tiled(layer.input, window, b0, b1, turn.buffer);
  if (turn.fresh) {
    m_moves.load_tile(layer.input, layer.in_w, window, b0, b1, view, turn.slot, number, last);
  }
  return view;
}

View DlaScheduler::operand_view(const layer::DlaLayer& layer, const Tile& tile, bool broadcast,
                                RingState& ring, const Slots& slots, uint32_t number) {
  const TensorId t = layer.ew.operand;
  const Window w =
      broadcast ? Window{0, 1, 0, 1, 0, 0} : Window{tile.y0, tile.y1, tile.x0, tile.x1, 0, 0};
  const int columns = broadcast ? 1 : layer.out_w;
  if (!ring.used()) return m_s.places.stored(t, columns, w, tile.b0, tile.b1);
  const auto turn = ring.take({w.y0, w.y1, w.x0, w.x1, tile.b0, tile.b1}, slots);
  const View view = m_s.places.tiled(t, w, tile.b0, tile.b1, turn.buffer);
  if (turn.fresh) m_moves.load_tile(t, columns, w, tile.b0, tile.b1, view, turn.slot, number);
  return view;
}

View DlaScheduler::output_view(const layer::DlaLayer& layer, const Tile& tile, const Window& made,
                               RingState& ring, const Slots& slots) {
  const int columns = layer.out_w * layer.columns_made();
  if (!ring.used()) return m_s.places.stored(layer.output, columns, made, tile.b0, tile.b1);
  // No two tiles are the same, so every turn is a fresh one.
  const auto turn = ring.take({made.y0, made.y1, made.x0, made.x1, tile.b0, tile.b1}, slots);
  return m_s.places.tiled(layer.output, made, tile.b0, tile.b1, turn.buffer);
}

void DlaScheduler::compute(const layer::DlaLayer& layer, const LayerPlan& plan, const Tile& tile,
                           const Window& window, const TileViews& views, uint32_t number) {
  const ParameterBlock parameter_block =
      parameter_block_of(layer, plan.packed, tile.runs, m_s.config.dla);
  for (size_t r = 0; r < tile.runs.size(); ++r) {
    const Run& run = tile.runs[r];
    RunViews own;
    own.input = views.input.part(run.c0 - tile.c0(), run.c1() - run.c0);
    const auto made = [&](const View& view) { return view.part(run.b0 - tile.b0, run.blocks()); };
    own.output = made(views.output);
    own.operand = made(views.operand);
    own.broadcast = views.broadcast;
    own.sums = made(views.sums);
    own.parameter_block_at = views.parameter_block_at;
    own.parameter_block = parameter_block.runs[r];
    if (layer.diagonal != 0) {  // the channels of the weights that are the tile's columns
      own.parameter_block.weights +=
          uint32_t(tile.x0 / layer.diagonal) * own.parameter_block.cb_pitch;
    }
    compute(layer, plan, tile, run, window, own, parameter_block.bytes, number);
  }
}

void DlaScheduler::compute(const layer::DlaLayer& layer, const LayerPlan& plan, const Tile& tile,
                           const Run& run, const Window& window, const RunViews& views,
                           uint32_t parameter_block_bytes, uint32_t number) {
  ProgramBuilder::Entry e;
  e.queue = m_queue;
  e.word = dla_word(layer, plan.packed, tile, run, window, views,
                    channels_in_block(m_s.layout, layer, run.b1 - 1), m_s.config.dla);
  e.layer = m_s.layer;
  e.tile = number;
  e.accesses = accesses(views.input, Gate::kIn, false);
  const auto add = [&](const std::vector<Access>& more) {
    e.accesses.insert(e.accesses.end(), more.begin(), more.end());
  };
  if (layer.ew.operand != kNoTensor) add(accesses(views.operand, Gate::kIn, false));
  if (parameter_block_bytes != 0) {
    add({{kSram, Gate::kWeights, false, views.parameter_block_at,
          views.parameter_block_at + parameter_block_bytes}});
  }
  if (!tile.first) add(accesses(views.sums, Gate::kIn, false));
  add(accesses(tile.last ? views.output : views.sums, Gate::kOut, true));
  if (tile.last && m_s.places.kept(layer.output).keep == Keep::kSram)
    e.completes = m_s.layout.sharing_storage(layer.output);
  m_s.program.compute(std::move(e));
}

}  // namespace presil::plan
