#include "compiler_bridge/plan/choose_tiling.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "compiler_bridge/plan/computed_weights.h"
#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dla_word.h"
#include "compiler_bridge/plan/search.h"

namespace presil::plan {
namespace {

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

/// How the channels of a layer are cut, at any one pixel.
struct Channels {
  int ranges = 0;                ///< of output blocks
  int parts = 0;                 ///< of all their sums: tiles
  int commands = 0;              ///< of all tiles
  int inputs = 0;                ///< ranges of input blocks, each another one than the one before
  int in_blocks = 0;             ///< of the tile that reads most
  uint64_t parameter_block = 0;  ///< bytes, of the tile that has most
  /// Commands that are as long as each other, and how many there are: a tile that is cut short
  /// counts as a whole one.
  struct Like {
    Run run;
    int count = 0;
  };
  std::vector<Like> likes;
};

Channels channels_of(const LayerShape& shape, const Tiling& tiling, const DlaConfig& config) {
  Channels all;
  std::pair<int, int> before{kNone, kNone};
  for (const Tile& tile : block_tiles(shape.runs, tiling)) {
    const std::pair<int, int> inputs{tile.c0(), tile.c1()};
    all.ranges += tile.last ? 1 : 0;
    all.parts += 1;
    all.commands += static_cast<int>(tile.runs.size());
    all.inputs += inputs != before ? 1 : 0;
    all.in_blocks = std::max(all.in_blocks, tile.c1() - tile.c0());
    all.parameter_block =
        std::max<uint64_t>(all.parameter_block,
                           parameter_block_of(*shape.layer, shape.packed, tile.runs, config).bytes);
    before = inputs;
  }
  const bool summed = tiling.in_blocks != 0;
  for (const Run& run : shape.runs) {
    const int blocks = std::min(tiling.blocks, run.blocks());
    const int in_blocks = summed ? std::min(tiling.in_blocks, run.in_blocks) : run.in_blocks;
    // What the range of an uncut tile ends in the middle of is a command for each side.
    const int cuts = summed ? ceil_div(run.blocks(), blocks)
                            : (run.b1 - 1) / tiling.blocks - run.b0 / tiling.blocks + 1;
    const int count = cuts * (summed ? ceil_div(run.in_blocks, in_blocks) : 1);
    const Run like{0, blocks, 0, in_blocks, run.step};
    const auto at = std::find_if(all.likes.begin(), all.likes.end(),
                                 [&](const Channels::Like& l) { return l.run == like; });
    if (at == all.likes.end()) {
      all.likes.push_back({like, count});
    } else {
      at->count += count;
    }
  }
  return all;
}

/// Counts of a tiling: tiles over pixels, and how often each stream is moved.
struct Counts {
  int pixels = 1;
  int tiles = 1;  ///< that are stored
  int parts = 1;  ///< of the sums of all tiles
  int commands = 1;
  int input_loads = 1, parameter_block_loads = 1;
};

Counts count(const LayerShape& shape, const Tiling& tiling, const Channels& channels) {
  Counts n;
  n.pixels = static_cast<int>(row_parts(*shape.layer, tiling.rows).size() *
                              column_parts(*shape.layer, tiling.columns).size());
  n.tiles = n.pixels * channels.ranges;
  n.parts = n.pixels * channels.parts;
  n.commands = n.pixels * channels.commands;
  const bool reload = tiling.blocks_outer && n.pixels > 1;
  n.input_loads = reload ? n.tiles : n.pixels * channels.inputs;
  n.parameter_block_loads = tiling.blocks_outer || channels.ranges == 1 ? channels.ranges : n.tiles;
  if (shape.layer->weights_by_row && n.parameter_block_loads == channels.ranges) {
    n.parameter_block_loads *= shape.layer->out_h;
  }
  if (tiling.in_blocks != 0) {  // each part finds another one in its buffers
    n.input_loads = n.parts;
    n.parameter_block_loads = n.parts;
  }
  return n;
}

uint64_t c16_bytes(const BlockedBuffer& storage, int rows, int columns, int blocks) {
  return uint64_t(storage.block_pitch(rows, columns)) * uint64_t(blocks);
}

TileBytes bytes_of(const LayerShape& shape, const Tiling& tiling, const Channels& channels) {
  const layer::DlaLayer& layer = *shape.layer;
  TileBytes bytes;
  if (shape.stream_input) {
    bytes.input = c16_bytes(*shape.input, window_rows(layer, tiling.rows),
                            window_columns(layer, tiling.columns), channels.in_blocks);
  }
  const int scale = layer.upsample2 ? 2 : 1;
  if (shape.stream_operand) {
    const int rows = shape.broadcast ? 1 : tiling.rows,
              columns = shape.broadcast ? 1 : tiling.columns;
    bytes.operand = c16_bytes(*shape.operand, rows, columns, tiling.blocks);
  }
  if (shape.stream_output) {
    bytes.output =
        c16_bytes(*shape.output, tiling.rows * scale, tiling.columns * scale, tiling.blocks);
  }
  bytes.parameter_block = channels.parameter_block;
  if (tiling.in_blocks != 0) {
    bytes.sums = uint64_t(kSumsBytes) * uint64_t(tiling.rows * tiling.columns * tiling.blocks);
  }
  return bytes;
}

RingDepths depths_of(const Tiling& tiling, const Counts& n) {
  const auto depth = [&](int loads) { return std::min(loads, tiling.depth); };
  return {depth(n.input_loads), depth(n.tiles), depth(n.tiles), depth(n.parameter_block_loads)};
}

uint64_t buffer_bytes(const TileBytes& bytes, const RingDepths& depths) {
  return bytes.input * uint64_t(depths.input) + bytes.operand * uint64_t(depths.operand) +
         bytes.output * uint64_t(depths.output) +
         bytes.parameter_block * uint64_t(depths.parameter_block) + bytes.sums;
}

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

/// May its sums be made in parts? Only the last command of a pixel requantises, and one that goes
/// on from sums has no port left for a second operand.
bool has_parts(const LayerShape& shape) {
  return shape.layer->op == dla::Op::kConv && !shape.packed && shape.operand == nullptr &&
         !shape.layer->has_computed_weights();
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

/// Costs of the tilings of one layer; commands of one size are timed once.
class Costs {
 public:
  Costs(const LayerShape& shape, const SocConfig& config) : m_shape(shape), m_config(config) {}

  /// Of the SRAM, of all its buffers.
  uint64_t bytes(const Tiling& tiling) {
    const Channels& channels = channels_cut_by(tiling);
    return buffer_bytes(bytes_of(m_shape, tiling, channels),
                        depths_of(tiling, count(m_shape, tiling, channels)));
  }

  /// Of the layer, if it computed in no time: no tiling is faster than that.
  Cycle least_cycles(const Tiling& tiling) {
    const Channels& channels = channels_cut_by(tiling);
    return moving(tiling, count(m_shape, tiling, channels), bytes_of(m_shape, tiling, channels))
        .total();
  }

  TilingChoice operator()(const Tiling& tiling) {
    const Channels& channels = channels_cut_by(tiling);
    const Counts n = count(m_shape, tiling, channels);
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

  /// Commands that were timed.
  uint64_t timed() const { return m_compute.size(); }

 private:
  /// A command that waits for its predecessor's words, beyond the 2 cycles of one that does not.
  static constexpr Cycle kHandOver = 14;

  Cycle moved(uint64_t size, int times) const {
    return size == 0 || times == 0 ? Cycle{0}
                                   : move_cycles(size * uint64_t(times), uint64_t(times), m_config);
  }

  /// Tiles that are computed at once: as many as there are DLAs, and buffers for what comes and
  /// goes by tiles. Parts of sums have one buffer.
  int parallel(const Tiling& tiling, const Counts& n) const {
    if (tiling.in_blocks != 0) return 1;
    const bool streams = m_shape.stream_input || m_shape.stream_operand || m_shape.stream_output ||
                         n.parameter_block_loads > 1;
    const int most = std::min(static_cast<int>(m_config.dla.units), n.tiles);
    return streams ? std::min(most, tiling.depth) : most;
  }

  /// All but computing.
  TileCost moving(const Tiling& tiling, const Counts& n, const TileBytes& bytes) {
    TileCost cost;
    cost.tiles = n.parts;
    cost.commands = n.commands;
    cost.depth = tiling.depth;
    cost.sums = n.tiles;
    cost.parallel = parallel(tiling, n);
    cost.load =
        moved(bytes.parameter_block, n.parameter_block_loads - (m_shape.prefetched ? 1 : 0)) +
        moved_input(tiling, bytes, n) + moved(bytes.operand, n.tiles) +
        (m_shape.arriving == 0 ? 0 : move_cycles(m_shape.arriving, uint64_t(n.pixels), m_config));
    if (m_shape.arriving != 0) {
      cost.arriving = move_cycles(m_shape.arriving, uint64_t(n.pixels), m_config);
      if (tiling.blocks_outer) cost.ranges = std::max(1, channels_cut_by(tiling).ranges);
    }
    cost.first = (m_shape.prefetched ? 0 : moved(bytes.parameter_block, 1)) +
                 moved_input(tiling, bytes, n) / std::max(1, n.input_loads) +
                 moved(bytes.operand, 1) + cost.arriving / n.pixels;
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

  /// Bytes that the DRAM moves while the layer runs.
  uint64_t traffic(const Tiling& tiling, const TileBytes& bytes, const Counts& n) {
    const int sets = n.parameter_block_loads - (m_shape.prefetched ? 1 : 0);
    return bytes.parameter_block * uint64_t(sets) + bytes.operand * uint64_t(n.tiles) +
           m_shape.arriving +
           traffic(bytes.input, n.input_loads, m_shape.linear_input, m_shape.input->extent.c,
                   channels_cut_by(tiling).in_blocks) +
           traffic(stored(tiling, bytes), n.tiles, m_shape.linear_output, m_shape.output->extent.c,
                   tiling.blocks);
  }

  /// Bytes of an output's tile that are stored before the layer's end.
  uint64_t stored(const Tiling& tiling, const TileBytes& bytes) const {
    if (bytes.output != 0 || !m_shape.linear_output || !m_shape.last) return bytes.output;
    const int scale = m_shape.layer->upsample2 ? 4 : 1;
    return uint64_t(tiling.rows * tiling.columns * tiling.blocks * scale) * kWordBytes;
  }

  /// Of a stream whose tiles have `blocks` blocks of its channels: dense pixels, or rows of one.
  uint64_t traffic(uint64_t bytes, int times, bool linear, int channels, int blocks) {
    const uint64_t all = bytes * uint64_t(times);
    if (!linear) return all;
    const uint64_t lanes = uint64_t(blocks) * kWordBytes, pixels = all / lanes;
    if (uint64_t(channels) <= lanes) return pixels * uint64_t(channels);
    return static_cast<uint64_t>(double(pixels) * row_traffic_of(blocks, channels));
  }

  double row_traffic_of(int blocks, int channels) {
    const auto [it, fresh] = m_row_traffic.try_emplace({blocks, channels});
    if (fresh) it->second = row_traffic(uint64_t(blocks) * kWordBytes, uint64_t(channels));
    return it->second;
  }

  Cycle moved_input(const Tiling& tiling, const TileBytes& bytes, const Counts& n) {
    const Cycle dense = moved(bytes.input, n.input_loads);
    const int blocks = (m_shape.input->extent.c + 15) / 16;
    if (bytes.input == 0 || !m_shape.linear_input) return dense;
    const int read = channels_cut_by(tiling).in_blocks;
    if (read >= blocks) return dense;
    const int pixels =
        window_rows(*m_shape.layer, tiling.rows) * window_columns(*m_shape.layer, tiling.columns);
    return std::max(
        dense, rows_moved(pixels, n.input_loads, read, m_shape.input->extent.c, n.input_loads));
  }

  /// Rows of a pixel each, some blocks of its channels, so many times.
  Cycle rows_moved(int pixels, int times, int blocks, int channels, int commands) {
    const double rows = double(pixels) * double(times);
    const double row = row_cycles(row_traffic_of(blocks, channels), m_config);
    return static_cast<Cycle>(row * rows) + move_cycles(0, uint64_t(commands), m_config);
  }

  const Channels& channels_cut_by(const Tiling& tiling) {
    const auto [it, fresh] = m_channels.try_emplace({tiling.blocks, tiling.in_blocks});
    if (fresh) it->second = channels_of(m_shape, tiling, m_config.dla);
    return it->second;
  }

  /// first: what the first command takes longer; more, words: of all tiles of a pixel.
  const ComputeCycles& compute(const Tiling& tiling, const Channels& channels) {
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

  Cycle correction(const Tiling& tiling) const {
    const int times = corrections(*m_shape.layer);
    if (times == 0) return 0;
    const Run& whole = m_shape.runs.front();
    const Run run = whole.outputs(0, std::min(tiling.blocks, whole.b1));
    const RunParameterBlock parameter_block =
        parameter_block_of(*m_shape.layer, false, {run}, m_config.dla).runs.front();
    const dla::Command word = correction_word(*m_shape.layer, run, parameter_block, 0, kWordBytes);
    return (compute_cycles(word, m_config.dla).first + kHandOver) * times;
  }

  const LayerShape& m_shape;
  const SocConfig& m_config;
  std::map<std::pair<int, int>, Channels> m_channels;
  std::map<std::pair<int, int>, double> m_row_traffic;  ///< by blocks, of channels
  std::map<std::tuple<int, int, int, int>, ComputeCycles> m_compute;
};

/// Of `part_sizes` those that cut it into 1, 2, 4, ... parts, and the smallest.
std::vector<int> halves(int whole, int unit) {
  std::vector<int> sizes;
  const int units = ceil_div(whole, unit);
  for (int parts = 1; parts < 2 * units; parts *= 2) {
    const int size = ceil_div(units, std::min(parts, units)) * unit;
    if (sizes.empty() || size < sizes.back()) sizes.push_back(size);
  }
  return sizes;
}

/// Calls `f` for every tiling worth a look, coarse ones first.
void for_each_tiling(const LayerShape& shape, Cut cut, bool coarse, const SocConfig& config,
                     const std::function<void(const Tiling&)>& f) {
  const auto sizes = [coarse](int whole, int unit = 1) {
    return coarse ? halves(whole, unit) : part_sizes(whole, unit);
  };
  const layer::DlaLayer& layer = *shape.layer;
  const bool streams = shape.stream_input || shape.stream_operand || shape.stream_output ||
                       shape.arriving != 0 || (shape.last && shape.linear_output);
  const int unit = std::max(1, static_cast<int>(config.dla.macs_k) / 16);
  const int most = most_columns(layer, config.dla);
  const int least_parts = ceil_div(layer.out_w, most);
  std::vector<int> columns = {ceil_div(layer.out_w, least_parts)};
  if (one_by_one(layer.stride_x, layer.out_w)) columns = {1};
  if (layer.diagonal != 0) columns = {std::min(layer.diagonal, layer.out_w)};
  if (cut != Cut::kRows && layer.diagonal == 0) {
    for (int c : sizes(layer.out_w)) {
      if (c < columns.back()) columns.push_back(c);
    }
  }
  std::vector<int> parts = {0};
  if (cut == Cut::kChannels && has_parts(shape)) {
    const int lanes = std::max(1, static_cast<int>(config.dla.macs_c) / 16);
    const auto most =
        std::max_element(shape.runs.begin(), shape.runs.end(),
                         [](const Run& a, const Run& b) { return a.in_blocks < b.in_blocks; });
    const int sets = ceil_div(most->in_blocks, lanes);
    for (int n = 2; n < 2 * sets; n *= 2)
      parts.push_back(ceil_div(sets, std::min(n, sets)) * lanes);
  }
  const int most_depth = config.dla.units == 1 ? 2 : 2 * static_cast<int>(config.dla.units);
  const bool single_rows = layer.weights_by_row || one_by_one(layer.stride_y, layer.out_h);
  const std::vector<int> rows = single_rows ? std::vector<int>{1} : sizes(layer.out_h);
  for (int part : parts) {
    for (int b : sizes(shape.blocks(), unit)) {
      for (int c : columns) {
        for (size_t i = 0; i < rows.size(); ++i) {
          const int r = rows[i];
          // What neither comes nor goes by tiles is cut only for several DLAs.
          if (part == 0 && !streams && i >= config.dla.units) continue;
          const bool whole_columns = c == columns.front();
          if (cut == Cut::kChannels && !whole_columns && (part == 0 || r > 1)) continue;
          for (const bool blocks_outer : {true, false}) {
            for (int depth = most_depth; depth >= 1; --depth) {
              f({r, c, std::min(b, shape.blocks()), blocks_outer, depth, part});
            }
          }
        }
      }
    }
  }
}

}  // namespace

TileBytes tile_bytes(const LayerShape& shape, const Tiling& tiling, const DlaConfig& config) {
  return bytes_of(shape, tiling, channels_of(shape, tiling, config));
}

RingDepths ring_depths(const LayerShape& shape, const Tiling& tiling, const DlaConfig& config) {
  return depths_of(tiling, count(shape, tiling, channels_of(shape, tiling, config)));
}

std::vector<TilingChoice> tiling_menu(const LayerShape& shape, Cut cut, const SocConfig& config,
                                      bool coarse, Search* search) {
  struct Candidate {
    Tiling tiling;
    uint64_t bytes;
  };
  std::vector<Candidate> all;
  Costs costs(shape, config);
  for_each_tiling(shape, cut, coarse, config, [&](const Tiling& tiling) {
    all.push_back({tiling, costs.bytes(tiling)});
  });
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.bytes < b.bytes; });
  std::vector<TilingChoice> menu;
  // Of those of one size the fastest may enter; coarse tilings come first and win ties.
  for (size_t i = 0; i < all.size();) {
    const uint64_t bytes = all[i].bytes;
    if (!menu.empty() && bytes > config.sram.bytes) break;  // nothing has so much
    std::optional<TilingChoice> best;
    for (; i < all.size() && all[i].bytes == bytes; ++i) {
      const Cycle to_beat =
          best ? best->cycles
               : (menu.empty() ? std::numeric_limits<Cycle>::max() : menu.back().cycles);
      if (costs.least_cycles(all[i].tiling) >= to_beat) continue;
      const TilingChoice choice = costs(all[i].tiling);
      if (choice.cycles < to_beat) best = choice;
    }
    if (best) menu.push_back(*best);
  }
  // What a tiling computes longer than another one is lost to moving data too.
  Cycle computed = std::numeric_limits<Cycle>::max();
  for (const TilingChoice& c : menu) computed = std::min(computed, c.cycles - c.lost);
  for (TilingChoice& c : menu) c.lost = c.cycles - computed;
  if (search != nullptr) {
    constexpr uint64_t kTimed = 10, kLooked = 4;  // units: for one; of so many for one
    search->spend(kTimed * costs.timed() + all.size() / kLooked + 1);
  }
  return menu;
}

uint64_t least_bytes(const LayerShape& shape, Cut cut, const SocConfig& config, uint64_t enough) {
  Costs costs(shape, config);
  Tiling finest;
  for_each_tiling(shape, cut, true, config, [&](const Tiling& tiling) { finest = tiling; });
  uint64_t least = costs.bytes(finest);
  if (least <= enough) return least;
  for_each_tiling(shape, cut, false, config,
                  [&](const Tiling& tiling) { least = std::min(least, costs.bytes(tiling)); });
  return least;
}

const TilingChoice* choose_tiling(const std::vector<TilingChoice>& menu, uint64_t budget) {
  const auto after = std::upper_bound(
      menu.begin(), menu.end(), budget,
      [](uint64_t bytes, const TilingChoice& choice) { return bytes < choice.bytes; });
  return after == menu.begin() ? nullptr : &*std::prev(after);
}

}  // namespace presil::plan
