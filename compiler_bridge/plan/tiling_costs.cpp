#include "compiler_bridge/plan/tiling_costs.h"

#include <algorithm>

#include "compiler_bridge/plan/computed_weights.h"
#include "compiler_bridge/plan/dla_word.h"
#include "compiler_bridge/plan/pack.h"

namespace presil::plan {
namespace {

/// A view with the pitches that a tile would have, at address 0.
View view_of(const BlockedBuffer& storage, bool streamed, int rows, int columns, int blocks) {
  View v;
  v.words = storage.form == Form::kC16;
  v.x_step = storage.x_step();
  v.rows = rows, v.columns = columns, v.blocks = blocks;
  v.row_pitch = streamed ? storage.row_pitch(columns) : storage.row_pitch();
  v.block_pitch = streamed ? storage.block_pitch(rows, columns) : storage.block_pitch();
  return v;
}

/// The command of a run in the first tile, as far as its time depends on it; of sums in parts one
/// from the middle, which reads and writes them.
dla::Command sample_word(const LayerShape& shape, const Tiling& tiling, const Run& run,
                         const DlaConfig& config) {
  const layer::DlaLayer& layer = *shape.layer;
  Tile tile{0, tiling.rows, 0, tiling.columns, run.b0, run.b1, {run}};
  const Window window = window_of(layer, tile);
  const int scale = layer.upsample2 ? 2 : 1;
  RunViews views;
  views.input =
      view_of(*shape.input, shape.stream_input, window.rows(), window.columns(), run.c1());
  views.output = view_of(*shape.output, shape.stream_output, tile.rows() * scale,
                         tile.columns() * scale, tile.blocks());
  if (shape.operand != nullptr) {
    views.broadcast = shape.broadcast;
    views.operand =
        view_of(*shape.operand, shape.stream_operand, tile.rows(), tile.columns(), tile.blocks());
  }
  views.parameter_block = parameter_block_of(layer, shape.packed, tile.runs, config).runs.front();
  if (tiling.in_blocks != 0) {
    tile.first = tile.last = false;
    views.sums = sums_view(tile, 0);
  }
  return dla_word(layer, shape.packed, tile, run, window, views, kWordBytes, config);
}

}  // namespace

uint64_t TilingCosts::bytes(const Tiling& tiling) {
  const ChannelCut& channels = channels_cut_by(tiling);
  return buffer_bytes(bytes_of(m_shape, tiling, channels),
                      depths_of(tiling, count(m_shape, tiling, channels)));
}

Cycle TilingCosts::least_cycles(const Tiling& tiling) {
  const ChannelCut& channels = channels_cut_by(tiling);
  return moving(tiling, count(m_shape, tiling, channels), bytes_of(m_shape, tiling, channels))
      .total();
}

TilingChoice TilingCosts::operator()(const Tiling& tiling) {
  const ChannelCut& channels = channels_cut_by(tiling);
  const TileCounts n = count(m_shape, tiling, channels);
  const TileBytes bytes = bytes_of(m_shape, tiling, channels);
  TileCost cost = moving(tiling, n, bytes);
  const ComputeCycles& all = compute(tiling, channels);
  cost.compute = all.first + all.more * n.pixels;
  if (all.more > 0) {
    const double rate = double(all.words) / double(all.more);
    cost.meetings = rate * rate / m_config.sram.banks;
  }
  if (tiling.in_blocks != 0) cost.compute += kHandOver * n.parts;
  cost.compute += correction(tiling) * n.parameter_block_loads;
  const Cycle total = cost.total();
  const Cycle ahead = m_shape.prefetched ? moved(bytes.parameter_block, 1) : 0;
  return {tiling,
          buffer_bytes(bytes, depths_of(tiling, n)),
          total,
          std::max(Cycle{0}, total - cost.compute / std::min(cost.parallel, cost.sums)),
          cost.load + cost.store,
          ahead,
          n.parameter_block_loads > 1 ? total / n.parameter_block_loads : 0};
}

Cycle TilingCosts::moved(uint64_t size, int times) const {
  return size == 0 || times == 0 ? Cycle{0}
                                 : move_cycles(size * uint64_t(times), uint64_t(times), m_config);
}

int TilingCosts::parallel(const Tiling& tiling, const TileCounts& n) const {
  if (tiling.in_blocks != 0) return 1;
  const bool streams = m_shape.stream_input || m_shape.stream_operand || m_shape.stream_output ||
                       n.parameter_block_loads > 1;
  const int most = std::min(static_cast<int>(m_config.dla.units), n.tiles);
  return streams ? std::min(most, tiling.depth) : most;
}

TileCost TilingCosts::moving(const Tiling& tiling, const TileCounts& n, const TileBytes& bytes) {
  TileCost cost;
  cost.tiles = n.parts;
  cost.commands = n.commands;
  cost.depth = tiling.depth;
  cost.sums = n.tiles;
  cost.parallel = parallel(tiling, n);
  if (m_shape.arriving != 0) {
    cost.arriving = move_cycles(m_shape.arriving, uint64_t(n.pixels), m_config);
    if (tiling.blocks_outer) cost.ranges = std::max(1, channels_cut_by(tiling).ranges);
  }
  const int sets = n.parameter_block_loads - (m_shape.prefetched ? 1 : 0);
  const Cycle input = moved_input(tiling, bytes, n);
  cost.load =
      moved(bytes.parameter_block, sets) + input + moved(bytes.operand, n.tiles) + cost.arriving;
  cost.first = (m_shape.prefetched ? 0 : moved(bytes.parameter_block, 1)) +
               input / std::max(1, n.input_loads) + moved(bytes.operand, 1) +
               cost.arriving / n.pixels;
  cost.store = moved(stored(tiling, bytes), n.tiles);
  if (m_shape.linear_output && tiling.blocks < m_shape.blocks()) {
    const layer::DlaLayer& layer = *m_shape.layer;
    const int pixels = layer.out_h * layer.out_w * (layer.upsample2 ? 4 : 1);
    const int ranges = ceil_div(m_shape.blocks(), tiling.blocks);
    cost.store = std::max(
        cost.store, rows_moved(pixels, ranges, tiling.blocks, m_shape.output->extent.c, n.tiles));
  }
  cost.memory = memory_cycles(traffic(tiling, bytes, n), m_config);
  return cost;
}

uint64_t TilingCosts::traffic(const Tiling& tiling, const TileBytes& bytes, const TileCounts& n) {
  const int sets = n.parameter_block_loads - (m_shape.prefetched ? 1 : 0);
  return bytes.parameter_block * uint64_t(sets) + bytes.operand * uint64_t(n.tiles) +
         m_shape.arriving +
         traffic(bytes.input, n.input_loads, m_shape.linear_input, m_shape.input->extent.c,
                 channels_cut_by(tiling).in_blocks) +
         traffic(stored(tiling, bytes), n.tiles, m_shape.linear_output, m_shape.output->extent.c,
                 tiling.blocks);
}

uint64_t TilingCosts::stored(const Tiling& tiling, const TileBytes& bytes) const {
  if (bytes.output != 0 || !m_shape.linear_output || !m_shape.last) return bytes.output;
  const int scale = m_shape.layer->upsample2 ? 4 : 1;
  return uint64_t(tiling.rows * tiling.columns * tiling.blocks * scale) * kWordBytes;
}

uint64_t TilingCosts::traffic(uint64_t bytes, int times, bool linear, int channels, int blocks) {
  const uint64_t all = bytes * uint64_t(times);
  if (!linear) return all;
  const uint64_t lanes = uint64_t(blocks) * kWordBytes, pixels = all / lanes;
  if (uint64_t(channels) <= lanes) return pixels * uint64_t(channels);
  return static_cast<uint64_t>(double(pixels) * row_traffic_of(blocks, channels));
}

double TilingCosts::row_traffic_of(int blocks, int channels) {
  const auto [it, fresh] = m_row_traffic.try_emplace({blocks, channels});
  if (fresh) it->second = row_traffic(uint64_t(blocks) * kWordBytes, uint64_t(channels));
  return it->second;
}

Cycle TilingCosts::moved_input(const Tiling& tiling, const TileBytes& bytes, const TileCounts& n) {
  const Cycle dense = moved(bytes.input, n.input_loads);
  const int blocks = (m_shape.input->extent.c + 15) / 16;
  if (bytes.input == 0 || !m_shape.linear_input) return dense;
  const int read = channels_cut_by(tiling).in_blocks;
  if (read >= blocks) return dense;
  const int pixels =
      window_rows(*m_shape.layer, tiling.rows) * window_columns(*m_shape.layer, tiling.columns);
  return std::max(dense,
                  rows_moved(pixels, n.input_loads, read, m_shape.input->extent.c, n.input_loads));
}

Cycle TilingCosts::rows_moved(int pixels, int times, int blocks, int channels, int commands) {
  const double rows = double(pixels) * double(times);
  const double row = row_cycles(row_traffic_of(blocks, channels), m_config);
  return static_cast<Cycle>(row * rows) + move_cycles(0, uint64_t(commands), m_config);
}

const ChannelCut& TilingCosts::channels_cut_by(const Tiling& tiling) {
  const auto [it, fresh] = m_channels.try_emplace({tiling.blocks, tiling.in_blocks});
  if (fresh) it->second = channels_of(m_shape, tiling, m_config.dla);
  return it->second;
}

const ComputeCycles& TilingCosts::compute(const Tiling& tiling, const ChannelCut& channels) {
  const auto key = std::make_tuple(tiling.rows, tiling.columns, tiling.blocks, tiling.in_blocks);
  const auto [it, fresh] = m_compute.try_emplace(key);
  ComputeCycles& sum = it->second;
  if (fresh) {
    for (const auto& [run, count] : channels.likes) {
      const ComputeCycles one =
          compute_cycles(sample_word(m_shape, tiling, run, m_config.dla), m_config.dla);
      if (sum.more == 0) sum.first = one.first - one.more;
      sum.more += one.more * count;
      sum.words += one.words * uint64_t(count);
    }
  }
  return sum;
}

Cycle TilingCosts::correction(const Tiling& tiling) const {
  const int times = corrections(*m_shape.layer);
  if (times == 0) return 0;
  const Run& whole = m_shape.runs.front();
  const Run run = whole.outputs(0, std::min(tiling.blocks, whole.b1));
  const RunParameterBlock parameter_block =
      parameter_block_of(*m_shape.layer, false, {run}, m_config.dla).runs.front();
  const dla::Command word = correction_word(*m_shape.layer, run, parameter_block, 0, kWordBytes);
  return (compute_cycles(word, m_config.dla).first + kHandOver) * times;
}

}  // namespace presil::plan
