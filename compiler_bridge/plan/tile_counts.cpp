#include "compiler_bridge/plan/tile_counts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compiler_bridge/plan/dla_word.h"
#include "compiler_bridge/plan/pack.h"

namespace presil::plan {

ChannelCut channels_of(const LayerShape& shape, const Tiling& tiling, const DlaConfig& config) {
  ChannelCut all;
  std::pair<int, int> before{kNone, kNone};
  std::set<std::pair<int, int>> apart;
  for (const Tile& tile : block_tiles(shape.runs, tiling)) {
    const std::pair<int, int> inputs{tile.c0(), tile.c1()};
    if (tile.first) all.range_parts.push_back(0);
    ++all.range_parts.back();
    if (apart.insert(inputs).second) {
      ++all.inputs_apart;
      all.blocks_apart += tile.c1() - tile.c0();
    }
    all.ranges += tile.last ? 1 : 0;
    all.parts += 1;
    all.commands += static_cast<int>(tile.runs.size());
    all.inputs += inputs != before ? 1 : 0;
    all.blocks_read += tile.c1() - tile.c0();
    all.blocks_fresh += inputs != before ? tile.c1() - tile.c0() : 0;
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
                                 [&](const ChannelCut::Like& l) { return l.run == like; });
    if (at == all.likes.end()) {
      all.likes.push_back({like, count});
    } else {
      at->count += count;
    }
  }
  return all;
}

TileCounts count(const LayerShape& shape, const Tiling& tiling, const ChannelCut& channels) {
  TileCounts n;
  n.pixels = count_parts(*shape.layer, tiling.rows, tiling.columns);
  n.tiles = n.pixels * channels.ranges;
  n.parts = n.pixels * channels.parts;
  n.commands = n.pixels * channels.commands;
  // Entries keep what is read again, if all that is read in between is kept too.
  const bool ranges_outer = tiling.blocks_outer && n.pixels > 1;
  const bool inputs_stay = channels.inputs_apart * (ranges_outer ? n.pixels : 1) <= tiling.depth;
  if (inputs_stay) {
    n.input_loads = n.pixels * channels.inputs_apart;
    n.blocks_loaded = channels.blocks_apart;
  } else if (ranges_outer || tiling.in_blocks != 0) {
    n.input_loads = n.parts;
    n.blocks_loaded = channels.blocks_read;
  } else {
    n.input_loads = n.pixels * channels.inputs;
    n.blocks_loaded = channels.blocks_fresh;
  }
  n.parameter_block_loads = 0;
  for (size_t i = 0; i < channels.range_parts.size(); ++i) {
    const int parts = channels.range_parts[i];
    const bool stay = (tiling.blocks_outer ? parts : channels.parts) <= tiling.depth;
    n.parameter_block_loads += stay ? parts : parts * n.pixels;
    const bool waits = stay && i > 0 && parts > 1 && n.pixels > 1 && tiling.blocks_outer;
    if (waits) n.border_loads += std::max(0, 2 * parts - tiling.depth);
  }
  if (shape.layer->weights_by_row && n.parameter_block_loads == channels.ranges) {
    n.parameter_block_loads *= shape.layer->out_h;
  }
  return n;
}

namespace {

uint64_t c16_bytes(const BlockedBuffer& storage, int rows, int columns, int blocks) {
  return uint64_t(storage.block_pitch(rows, columns)) * uint64_t(blocks);
}

}  // namespace

TileBytes bytes_of(const LayerShape& shape, const Tiling& tiling, const ChannelCut& channels) {
  const layer::DlaLayer& layer = *shape.layer;
  TileBytes bytes;
  if (shape.stream_input) {
    bytes.input = c16_bytes(*shape.input, window_rows(layer, tiling.rows),
                            window_columns(layer, tiling.columns), channels.in_blocks);
  }
  if (shape.stream_operand) {
    const int rows = shape.broadcast ? 1 : tiling.rows,
              columns = shape.broadcast ? 1 : tiling.columns;
    bytes.operand = c16_bytes(*shape.operand, rows, columns, tiling.blocks);
  }
  if (shape.stream_output) {
    bytes.output = c16_bytes(*shape.output, tiling.rows * layer.rows_made(),
                             tiling.columns * layer.columns_made(), tiling.blocks);
  }
  bytes.parameter_block = channels.parameter_block;
  if (tiling.in_blocks != 0) {
    bytes.sums = uint64_t(kSumsBytes) * uint64_t(tiling.rows * tiling.columns * tiling.blocks);
  }
  return bytes;
}

RingDepths depths_of(const Tiling& tiling, const TileCounts& n) {
  const auto depth = [&](int loads) { return std::min(loads, tiling.depth); };
  return {depth(n.input_loads), depth(n.tiles), depth(n.tiles), depth(n.parameter_block_loads)};
}

uint64_t buffer_bytes(const TileBytes& bytes, const RingDepths& depths) {
  return bytes.input * uint64_t(depths.input) + bytes.operand * uint64_t(depths.operand) +
         bytes.output * uint64_t(depths.output) +
         bytes.parameter_block * uint64_t(depths.parameter_block) + bytes.sums;
}

TileBytes tile_bytes(const LayerShape& shape, const Tiling& tiling, const DlaConfig& config) {
  return bytes_of(shape, tiling, channels_of(shape, tiling, config));
}

RingDepths ring_depths(const LayerShape& shape, const Tiling& tiling, const DlaConfig& config) {
  return depths_of(tiling, count(shape, tiling, channels_of(shape, tiling, config)));
}

}  // namespace presil::plan
