#include "compiler_bridge/plan/dla_planner.h"

#include <algorithm>

#include "compiler_bridge/plan/pack.h"

namespace presil::plan {

// ---- which tiling

std::optional<uint64_t> DlaPlanner::lacking(int step, const Room& room) {
  if (choose(step, room) != nullptr) return std::nullopt;
  if (const TilingChoice* own = decided(step)) return room.taken + own->bytes;
  return room.taken + std::min(m_shapes.menu(step, Cut::kColumns).front().bytes,
                               m_shapes.menu(step, Cut::kChannels).front().bytes);
}

/// Columns are cut where rows are not enough; sums are made in parts where that does not help
/// either, or where it is faster than a tiling that loses much to moving data. Null: none fits.
const TilingChoice* DlaPlanner::choose(int step, const Room& room) {
  LayerShape& shape = m_shapes.shape(step, [&](int storage) { return m_residents.kept(storage); });
  shape.prefetched = room.prefetch > 0 && weights_ready(layer(step)) < step;
  shape.arriving = m_residents.arriving_bytes(step, layer(step).input, room.prefetch);
  if (const TilingChoice* own = decided(step)) return own->bytes <= room.budget ? own : nullptr;
  constexpr Cycle kMuch = 8;  // one cycle of so many
  const TilingChoice* best = choose_tiling(m_shapes.menu(step, Cut::kRows), room.budget);
  if (best == nullptr) best = choose_tiling(m_shapes.menu(step, Cut::kColumns), room.budget);
  if (best != nullptr && best->lost * kMuch <= best->cycles) return best;
  const TilingChoice* parts = choose_tiling(m_shapes.menu(step, Cut::kChannels), room.budget);
  return best == nullptr || (parts != nullptr && parts->cycles < best->cycles) ? parts : best;
}

const TilingChoice* DlaPlanner::decided(int step) {
  const Tiling* tiling = m_search.decided().tiling_of(m_layout.layer_at(step).name);
  if (tiling == nullptr) return nullptr;
  const LayerShape& shape = m_shapes.shape(step);
  unsigned flags = 0;
  for (const bool flag : {shape.stream_input, shape.stream_operand, shape.stream_output,
                          shape.arriving != 0, shape.prefetched}) {
    flags = 2 * flags + (flag ? 1 : 0);
  }
  const auto [known, fresh] = m_decided.try_emplace({step, flags});
  if (fresh) known->second = tiling_choice(shape, *tiling, m_config, m_search);
  return known->second ? &*known->second : nullptr;
}

namespace {

LayerCost cost_of(const TilingChoice& choice) {
  return {choice.ahead, choice.cycles, choice.moved, choice.turn, choice.turn > 0};
}

}  // namespace

/// The same after the layers before it: where these do not hide what comes ahead, less of it may
/// be faster.
const TilingChoice& DlaPlanner::choose_after(int step, const Room& room, const LayersCost& before) {
  const TilingChoice* best = choose(step, room);
  if (best->ahead == 0 || !room.in_order || decided(step) != nullptr) return *best;
  const uint64_t most = best->bytes;
  const auto end = [&](const TilingChoice& one) { return before.end_with(cost_of(one)); };
  for (const TilingChoice& other : m_shapes.menu(step, Cut::kRows)) {
    if (other.bytes >= most) break;
    if (end(other) < end(*best)) best = &other;
  }
  return *best;
}

// ---- its buffers

void DlaPlanner::add(Plan& plan, int step, const Room& room, LayersCost& cost) {
  const TilingChoice& choice = choose_after(step, room, cost);
  cost.add(cost_of(choice));
  plan.layers[size_t(step)] = planned(plan, step, choice);
}

LayerPlan DlaPlanner::planned(Plan& plan, int step, const TilingChoice& choice) const {
  const LayerShape& shape = m_shapes.shape(step);
  const Tiling& tiling = choice.tiling;
  const TileBytes bytes = tile_bytes(shape, tiling, m_config.dla);
  const RingDepths depths = ring_depths(shape, tiling, m_config.dla);
  const auto [before, after] = around(plan, step, m_layout.step_count());
  const int until = m_layout.until[size_t(step)];
  LayerPlan layer;
  layer.cycles = choice.cycles;
  layer.lost = choice.lost;
  layer.needs_memory = 2 * choice.moved > choice.cycles;
  layer.tiling = tiling;
  layer.runs = shape.runs;
  layer.packed = shape.packed;
  layer.parameter_block_from =
      depths.parameter_block > 1 ? before : std::max(0, step - plan.prefetch);
  // What holds computed weights may be complete after this step only: a whole that others fill.
  layer.parameter_block_from =
      std::clamp(weights_ready(*shape.layer), layer.parameter_block_from, step);
  // Weights that come in turn must not queue after all that later layers need.
  for (int other = layer.parameter_block_from + 1; other < step; ++other) {
    if (plan.layers[size_t(other)].parameter_block.buffers.size() > 1)
      layer.parameter_block_from = other;
  }
  layer.input_from = std::clamp(ready(shape.layer->input), before, step);
  if (shape.operand != nullptr) {
    layer.operand_from = std::clamp(ready(shape.layer->ew.operand), before, step);
  }
  layer.input = new_ring(plan, bytes.input, depths.input, layer.input_from, until);
  layer.operand = new_ring(plan, bytes.operand, depths.operand, layer.operand_from, until);
  layer.output = new_ring(plan, bytes.output, depths.output, step, std::max(after, until));
  layer.parameter_block = new_ring(plan, bytes.parameter_block, depths.parameter_block,
                                   layer.parameter_block_from, until);
  layer.sums = new_ring(plan, bytes.sums, 1, step, until);
  return layer;
}

int DlaPlanner::weights_ready(const layer::DlaLayer& layer) const {
  const TensorId t = layer.weights_from;
  if (t == kNoTensor) return 0;
  return m_layout.stored_weights(t) ? ready(t) : m_layout.linear_ready(t);
}

std::vector<EarlyLoads> DlaPlanner::early_loads(int step, LayerPlan& p) const {
  const layer::DlaLayer& own = layer(step);
  std::vector<EarlyLoads> loads = {
      {&p.parameter_block, &p.parameter_block_from, weights_ready(own)},
      {&p.input, &p.input_from, ready(own.input)}};
  if (p.operand.used()) loads.push_back({&p.operand, &p.operand_from, ready(own.ew.operand)});
  return loads;
}

// ---- the least

uint64_t DlaPlanner::least(int step) {
  return tiled(step, {});
}

uint64_t DlaPlanner::least_with_any_kept(int step) {
  const layer::DlaLayer& own = layer(step);
  std::set<int> buffers = {m_layout.place(own.input).storage, m_layout.place(own.output).storage};
  if (own.has_operand()) buffers.insert(m_layout.place(own.ew.operand).storage);
  uint64_t least = UINT64_MAX;
  each_subset(buffers, [&](const std::set<int>& kept) {
    uint64_t bytes = tiled(step, kept);
    for (const int index : kept) bytes += m_layout.blocked_buffers[size_t(index)].bytes();
    least = std::min(least, bytes);
  });
  return least;
}

/// What of its tensors is kept takes besides. Once it fits, nothing smaller is looked for.
uint64_t DlaPlanner::tiled(int step, const std::set<int>& kept) {
  LayerShape& shape = m_shapes.shape(step, [&](int storage) { return kept.count(storage) != 0; });
  const uint64_t enough = m_config.sram.bytes;
  uint64_t least = UINT64_MAX;
  for (const bool arriving : {false, true}) {
    if (arriving && shape.stream_input) continue;
    shape.arriving = arriving ? 1 : 0;
    for (const Cut cut : {Cut::kColumns, Cut::kChannels}) {
      if (least > enough) least = std::min(least, least_bytes(shape, cut, m_config, enough));
    }
  }
  return least;
}

// ---- what is kept

/// Dense rows cannot be entered in the middle of a word: where a row is cut into column tiles, DMA
/// brings each tile's part.
std::vector<int> DlaPlanner::not_to_keep(int step) const {
  const layer::DlaLayer& own = layer(step);
  if (m_layout.blocked_of(own.input).form != Form::kRows) return {};
  if (own.out_w <= most_columns(own, m_config.dla)) return {};
  return {m_layout.place(own.input).storage};
}

std::vector<uint8_t> DlaPlanner::whole_parameter_block(const Plan& plan, int step) const {
  const layer::DlaLayer& own = layer(step);
  if (own.has_computed_weights() || own.weights.size() == 0) return {};
  const LayerPlan& planned = plan.layers[size_t(step)];
  if (planned.parameter_block.buffers.size() != 1) return {};
  const std::vector<Tile> tiles = block_tiles(planned.runs, planned.tiling);
  if (tiles.size() != 1) return {};
  return pack_parameter_block(own, planned.packed, m_layout.place(own.input).lanes,
                              m_layout.place(own.output).lanes, tiles.front().runs, m_config.dla);
}

}  // namespace presil::plan
