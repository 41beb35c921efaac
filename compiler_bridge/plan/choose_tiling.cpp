#include "compiler_bridge/plan/choose_tiling.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/dla_word.h"

namespace presil::plan {
namespace {

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

/// Counts of a tiling: tiles over pixels, over blocks, parts of sums, and how often each stream is
/// moved.
struct Counts {
  int pixels = 1, blocks = 1, parts = 1;
  int input_loads = 1, blob_loads = 1;
  int tiles() const { return pixels * blocks; }
  int commands() const { return tiles() * parts; }
};

Counts count(const LayerShape& shape, const Tiling& tiling) {
  Counts n;
  n.pixels = static_cast<int>(row_parts(*shape.layer, tiling.rows).size() *
                              column_parts(*shape.layer, tiling.columns).size());
  n.blocks = ceil_div(shape.blocks, tiling.blocks);
  const bool reload = is_lane_wise(*shape.layer) || (tiling.blocks_outer && n.pixels > 1);
  n.input_loads = reload ? n.tiles() : n.pixels;
  n.blob_loads = tiling.blocks_outer || n.blocks == 1 ? n.blocks : n.tiles();
  n.parts = parts_of(shape.in_blocks, tiling);
  if (n.parts > 1) {  // each part finds another one in its buffers
    n.input_loads = n.commands();
    n.blob_loads = n.commands();
  }
  return n;
}

uint64_t c16_bytes(const Storage& storage, int rows, int columns, int blocks) {
  return uint64_t(storage.block_pitch(rows, columns)) * uint64_t(blocks);
}

uint64_t buffer_bytes(const LayerShape& shape, const Tiling& tiling, const DlaConfig& config) {
  const TileBytes bytes = tile_bytes(shape, tiling, config);
  const RingDepths depths = ring_depths(shape, tiling);
  return bytes.input * uint64_t(depths.input) + bytes.operand * uint64_t(depths.operand) +
         bytes.output * uint64_t(depths.output) + bytes.blob * uint64_t(depths.blob) + bytes.sums;
}

/// A view with the pitches that a tile would have, at address 0.
View view_of(const Storage& storage, bool streamed, int rows, int columns, int blocks) {
  View v;
  v.words = storage.form == Form::kC16;
  v.x_step = storage.x_step();
  v.rows = rows, v.columns = columns, v.blocks = blocks;
  v.row_pitch = streamed ? storage.row_pitch(columns) : storage.row_pitch();
  v.block_pitch = streamed ? storage.block_pitch(rows, columns) : storage.block_pitch();
  return v;
}

/// Input blocks of a command.
int part_blocks(const LayerShape& shape, const Tiling& tiling) {
  return tiling.in_blocks == 0 ? shape.in_blocks : tiling.in_blocks;
}

/// May its sums be made in parts? Only the last command of a pixel requantises, and one that goes
/// on from sums has no port left for a second operand.
bool has_parts(const LayerShape& shape) {
  return shape.layer->op == dla::Op::kConv && !shape.packed && shape.operand == nullptr;
}

/// The command of the first tile, as far as its time depends on it; of sums in parts one from the
/// middle, which reads and writes them.
dla::Command sample_word(const LayerShape& shape, const Tiling& tiling, const DlaConfig& config) {
  const DlaLayer& layer = *shape.layer;
  Tile tile{0, tiling.rows, 0, tiling.columns, 0, tiling.blocks, 0, 0};
  const Window window = window_of(layer, tile);
  const int in_blocks = is_lane_wise(layer) ? tiling.blocks
                        : shape.packed      ? 1
                                            : part_blocks(shape, tiling);
  const int scale = layer.upsample2 ? 2 : 1;
  TileViews views;
  views.input =
      view_of(*shape.input, shape.stream_input, window.rows(), window.columns(), in_blocks);
  views.output = view_of(*shape.output, shape.stream_output, tile.rows() * scale,
                         tile.columns() * scale, tile.blocks());
  if (shape.operand != nullptr) {
    views.broadcast = shape.broadcast;
    views.operand =
        view_of(*shape.operand, shape.stream_operand, tile.rows(), tile.columns(), tile.blocks());
  }
  views.blob_shape =
      blob_shape(layer, shape.packed, part_blocks(shape, tiling), tile.blocks(), config);
  if (tiling.in_blocks != 0) {
    tile.c0 = tiling.in_blocks;
    tile.c1 = tile.c0 + tiling.in_blocks;
    tile.last = false;
    views.sums = sums_view(tile, 0);
  }
  return dla_word(layer, shape.packed, tile, window, views, kWordBytes, config);
}

/// Costs of the tilings of one layer; commands of one size are timed once.
class Costs {
 public:
  Costs(const LayerShape& shape, const SocConfig& config) : m_shape(shape), m_config(config) {}

  TilingChoice operator()(const Tiling& tiling) {
    const Counts n = count(m_shape, tiling);
    const TileBytes bytes = tile_bytes(m_shape, tiling, m_config.dla);
    const auto moved = [&](uint64_t size, int times) {
      return size == 0 || times == 0
                 ? Cycle{0}
                 : move_cycles(size * uint64_t(times), uint64_t(times), m_config);
    };
    TileCost cost;
    cost.tiles = n.commands();
    cost.depth = tiling.depth;
    cost.load =
        moved(bytes.blob, n.blob_loads - (m_shape.prefetched ? 1 : 0)) +
        moved(bytes.input, n.input_loads) + moved(bytes.operand, n.tiles()) +
        (m_shape.arriving == 0 ? 0 : move_cycles(m_shape.arriving, uint64_t(n.pixels), m_config));
    cost.store = moved(bytes.output, n.tiles());
    cost.compute = compute(tiling, n.commands());
    if (n.parts > 1) cost.compute += kHandOver * n.commands();
    const Cycle total = cost.total();
    const Cycle ahead = m_shape.prefetched ? moved(bytes.blob, 1) : 0;
    return {tiling,
            buffer_bytes(m_shape, tiling, m_config.dla),
            total,
            total - cost.compute,
            cost.load + cost.store,
            ahead};
  }

 private:
  /// A command that waits for its predecessor's words, beyond the 2 cycles of one that does not.
  static constexpr Cycle kHandOver = 14;

  Cycle compute(const Tiling& tiling, int tiles) {
    const auto key = std::make_tuple(tiling.rows, tiling.columns, tiling.blocks, tiling.in_blocks);
    const auto [it, fresh] = m_compute.try_emplace(key);
    if (fresh)
      it->second = compute_cycles(sample_word(m_shape, tiling, m_config.dla), m_config.dla);
    return it->second.first + it->second.more * (tiles - 1);
  }

  const LayerShape& m_shape;
  const SocConfig& m_config;
  std::map<std::tuple<int, int, int, int>, ComputeCycles> m_compute;
};

/// Calls `f` for every tiling worth a look, coarse ones first.
void for_each_tiling(const LayerShape& shape, Cut cut, const SocConfig& config,
                     const std::function<void(const Tiling&)>& f) {
  const DlaLayer& layer = *shape.layer;
  const bool streams =
      shape.stream_input || shape.stream_operand || shape.stream_output || shape.arriving != 0;
  const int unit = std::max(1, static_cast<int>(config.dla.macs_k) / 16);
  const int most = most_columns(layer, config.dla);
  const int least_parts = ceil_div(layer.out_w, most);
  std::vector<int> columns = {ceil_div(layer.out_w, least_parts)};
  if (cut != Cut::kRows) {
    for (int c : part_sizes(layer.out_w)) {
      if (c < columns.back()) columns.push_back(c);
    }
  }
  std::vector<int> parts = {0};
  if (cut == Cut::kChannels && has_parts(shape)) {
    const int lanes = std::max(1, static_cast<int>(config.dla.macs_c) / 16);
    const int sets = ceil_div(shape.in_blocks, lanes);
    for (int n = 2; n < 2 * sets; n *= 2)
      parts.push_back(ceil_div(sets, std::min(n, sets)) * lanes);
  }
  const std::vector<int> rows = part_sizes(layer.out_h);
  for (int part : parts) {
    for (int b : part_sizes(shape.blocks, unit)) {
      for (int c : columns) {
        for (int r : rows) {
          if (part == 0 && !streams && r != rows.front()) continue;
          const bool whole_columns = c == columns.front();
          if (cut == Cut::kChannels && !whole_columns && (part == 0 || r > 1)) continue;
          for (const bool blocks_outer : {true, false}) {
            for (int depth : {2, 1}) {
              f({r, c, std::min(b, shape.blocks), blocks_outer, depth, part});
            }
          }
        }
      }
    }
  }
}

}  // namespace

TileBytes tile_bytes(const LayerShape& shape, const Tiling& tiling, const DlaConfig& config) {
  const DlaLayer& layer = *shape.layer;
  TileBytes bytes;
  const int in_blocks = is_lane_wise(layer) ? tiling.blocks : part_blocks(shape, tiling);
  if (shape.stream_input) {
    bytes.input = c16_bytes(*shape.input, window_rows(layer, tiling.rows),
                            window_columns(layer, tiling.columns), shape.packed ? 1 : in_blocks);
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
  bytes.blob =
      blob_shape(layer, shape.packed, part_blocks(shape, tiling), tiling.blocks, config).bytes;
  if (tiling.in_blocks != 0) {
    bytes.sums = uint64_t(kSumsBytes) * uint64_t(tiling.rows * tiling.columns * tiling.blocks);
  }
  return bytes;
}

RingDepths ring_depths(const LayerShape& shape, const Tiling& tiling) {
  const Counts n = count(shape, tiling);
  const auto depth = [&](int loads) { return std::min(loads, tiling.depth); };
  return {depth(n.input_loads), depth(n.tiles()), depth(n.tiles()), depth(n.blob_loads)};
}

std::vector<TilingChoice> tiling_menu(const LayerShape& shape, Cut cut, const SocConfig& config) {
  std::vector<TilingChoice> all, menu;
  Costs costs(shape, config);
  for_each_tiling(shape, cut, config, [&](const Tiling& tiling) { all.push_back(costs(tiling)); });
  // Coarse tilings come first and win ties.
  std::stable_sort(all.begin(), all.end(), [](const TilingChoice& a, const TilingChoice& b) {
    return std::tie(a.bytes, a.cycles) < std::tie(b.bytes, b.cycles);
  });
  for (const TilingChoice& choice : all) {
    if (menu.empty() || choice.cycles < menu.back().cycles) menu.push_back(choice);
  }
  return menu;
}

const TilingChoice* choose_tiling(const std::vector<TilingChoice>& menu, uint64_t budget) {
  const auto after = std::upper_bound(
      menu.begin(), menu.end(), budget,
      [](uint64_t bytes, const TilingChoice& choice) { return bytes < choice.bytes; });
  return after == menu.begin() ? nullptr : &*std::prev(after);
}

}  // namespace presil::plan
