#include "compiler_bridge/plan/tiling_costs.h"

#include <algorithm>

#include "compiler_bridge/plan/computed_weights.h"
#include "compiler_bridge/plan/dla_word.h"
#include "compiler_bridge/plan/pack.h"
#include "models/dla/dla_timing.h"
#include "models/sync/sync_timing.h"

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
  RunViews views;
  views.input =
      view_of(*shape.input, shape.stream_input, window.rows(), window.columns(), run.c1());
  views.output = view_of(*shape.output, shape.stream_output, tile.rows() * layer.rows_made(),
                         tile.columns() * layer.columns_made(), tile.blocks());
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

const Cycle TilingCosts::kHandOver = dla::cycles_operand_to_write + sync::cycles_complete_to_met +
                                     dla::cycles_start_to_operand - dla::cycles_between_commands;

uint64_t TilingCosts::bytes(const Tiling& tiling) {
  const ChannelCut& channels = channels_cut_by(tiling);
  return buffer_bytes(bytes_of(m_shape, tiling, channels),
                      depths_of(tiling, count(m_shape, tiling, channels)));
}

TilingCosts::Moved TilingCosts::moved(const Tiling& tiling) {
  Moved moved;
  moved.channels = &channels_cut_by(tiling);
  moved.counts = count(m_shape, tiling, *moved.channels);
  moved.bytes = bytes_of(m_shape, tiling, *moved.channels);
  moved.cost = moving(tiling, moved.counts, moved.bytes);
  return moved;
}

// Tiles come one after another, and go so: what all of them take is less than any walk.
Cycle TilingCosts::least_cycles(const Tiling& tiling, const Moved& moved, Cycle enough) {
  const Cycle one_way = std::max(moved.cost.load, moved.cost.store);
  if (one_way >= enough) return one_way;
  return total(moved.cost, tiling, moved.counts, enough);
}

TilingChoice TilingCosts::operator()(const Tiling& tiling, Moved moved, Cycle enough) {
  const ChannelCut& channels = *moved.channels;
  const TileCounts& n = moved.counts;
  const TileBytes& bytes = moved.bytes;
  TileCost& cost = moved.cost;
  const ComputeCycles& all = compute(tiling, channels);
  cost.compute = all.first + all.more * n.pixels;
  if (all.more > 0) {
    const double rate = double(all.words) / double(all.more);
    cost.meetings = rate * rate / m_config.sram.banks;
  }
  if (tiling.in_blocks != 0) cost.compute += kHandOver * n.parts;
  if (cost.fill != 0) cost.fill += all.first;  // it cannot begin under the one before
  cost.meet = all.first + sync::cycles_complete_to_met + dla::cycles_start_to_nop_end;
  cost.compute += correction(tiling) * n.parameter_block_loads;
  const Cycle total = this->total(cost, tiling, n, enough);
  const Cycle ahead = m_shape.prefetched ? loaded(bytes.parameter_block) : 0;
  return {tiling,
          buffer_bytes(bytes, depths_of(tiling, n)),
          total,
          std::max(Cycle{0}, total - cost.compute / std::min(cost.parallel, cost.sums)),
          std::max(cost.load, cost.memory) + cost.words,
          ahead,
          n.parameter_block_loads > 1 ? total / n.parameter_block_loads : 0};
}

/// Where each tile has an input and nothing else comes in turn, the tiles are walked through: what
/// is read before anything is computed, and stored after it, and tiles that are cut short, weigh
/// more than a formula for all of them knows.
Cycle TilingCosts::total(const TileCost& cost, const Tiling& tiling, const TileCounts& n,
                         Cycle enough) {
  const bool comes = m_shape.arriving != 0 || n.input_loads == n.parts;
  const bool simple = cost.parallel == 1 && n.parts == n.pixels && !cost.in_turn && comes;
  if (!simple || n.parts == 1) return cost.total();
  TileWalk walk;
  walk.depth = tiling.depth;
  walk.fills_turns = m_shape.arriving == 0;
  walk.load_latency = cost.load == 0 ? 0 : double(m_memory->load_latency());
  walk.store_latency = cost.store == 0 ? 0 : double(m_memory->store_latency());
  const double load = std::max(0.0, double(cost.load) - walk.load_latency);
  const double store = std::max(0.0, double(cost.store) - walk.store_latency);
  walk.beside = cost.beside;
  walk.first_compute = double(cost.first);
  // Weights come beside the first inputs. A command of the DMA takes no less than its fetch.
  double weights = double(cost.weights);
  const auto beside_weights = [&](double cycles) {
    const double shared = std::min(weights, cycles);
    weights -= shared;
    return cycles + shared;
  };
  const auto moved = [&](double cycles) {
    return cycles == 0 ? 0 : std::max(cycles, double(cost.fetch));
  };
  const double computed = cost.computed();
  m_walked.clear();
  for (const Share& share : shares_of(tiling)) {
    const double in = beside_weights((load - double(cost.weights)) * share.read);
    m_walked.push_back({moved(in), computed * share.made, moved(store * share.made)});
  }
  double cycles = walk.cycles(m_walked, double(enough));
  if (n.parts > static_cast<int>(kWalked) &&
      cycles < double(enough)) {  // what is left goes at the pace of the last ones
    double paced = 0, rest = 1;
    for (size_t i = 0; i < kWalked; ++i) {
      const double made = shares_of(tiling)[i].made;
      rest -= made;
      if (i >= kWalked - kPaced) paced += made;
    }
    m_walked.resize(kWalked - kPaced);
    cycles += (cycles - walk.cycles(m_walked)) * rest / paced;
  }
  return static_cast<Cycle>(cycles + cost.words_between());
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
  cost.fetch = m_memory->fetch_cycles();
  const uint64_t ahead = uint64_t(m_config.dma.bursts_per_channel) * PRESIL_BURST_BYTES;
  cost.queued = loaded(ahead) / std::max(1u, m_config.dla.prefetch);
  const auto sets = static_cast<uint64_t>(n.parameter_block_loads - (m_shape.prefetched ? 1 : 0));
  const Stream in = input(tiling, n, bytes), out = output(tiling, bytes);
  const Stream arriving =
      m_shape.arriving == 0
          ? Stream{}
          : stream(*m_shape.input, true, m_shape.input->extent.h * m_shape.input->extent.w,
                   m_shape.input->blocks, m_shape.input->blocks, m_shape.input->extent.w);
  const uint64_t others = bytes.parameter_block * sets + bytes.operand * uint64_t(n.tiles);
  const Cycle in_cycles = loaded(in);
  if (m_shape.arriving != 0) {
    cost.arriving = loaded(arriving);
    if (tiling.blocks_outer) cost.ranges = std::max(1, channels_cut_by(tiling).ranges);
  }
  cost.load = loaded(others) + in_cycles + cost.arriving;
  cost.first = first(tiling, n, bytes, in_cycles, cost.arriving);
  const Cycle load = m_memory->load_latency(), store = m_memory->store_latency();
  if (cost.load != 0) cost.load += load, cost.arriving += cost.arriving != 0 ? load : 0;
  if (cost.first != 0) cost.first += load;
  if (out.bytes != 0) {
    cost.store = m_memory->writing(out.rows, out.bytes) + store;
    cost.last = store + (cost.store - store) / n.tiles;
  }
  const auto [apart, beside] =
      of_memory({in, arriving, {Rows::dense(), others, others / kWordBytes}}, out);
  cost.memory = beside;
  cost.beside = apart == 0 ? 1 : double(beside) / double(apart);
  cost.weights = m_shape.prefetched ? 0 : loaded(bytes.parameter_block);
  cost.words = memory_cycles(command_bytes(n, out.bytes != 0), m_config);
  cost.in_turn = sets > 0 && n.parameter_block_loads > 1;
  const Cycle pixels = in_cycles / n.input_loads + loaded(bytes.operand);
  const Cycle tile = std::max(Cycle{0}, cost.memory - cost.arriving) / n.parts;
  // Beside other streams of the tile a load has half of the memory, until these are over.
  const auto shared = [tile](Cycle own) { return std::max(own, std::min(2 * own, tile)); };
  if (n.input_loads > 1 && pixels != 0) {
    cost.fill = shared(pixels) * n.input_loads / n.parts + load;
  }
  if (cost.in_turn) {
    const Cycle weights = load + shared(loaded(bytes.parameter_block));
    const int turns = n.parameter_block_loads - n.border_loads;
    cost.fill = std::max(cost.fill, weights * turns / n.parts);
    cost.border_loads = n.border_loads, cost.border_fill = weights;
  }
  if (n.tiles > 1 && out.bytes != 0) cost.drain = std::max(cost.last, store + tile);
  return cost;
}

/// Of the memory, for what is read and what is written: one after the other, and in proportion
/// beside each other.
std::pair<Cycle, Cycle> TilingCosts::of_memory(const std::array<Stream, 3>& reads,
                                               const Stream& written) {
  std::array<Cycle, 3> alone{};
  Cycle all = 0;
  for (size_t i = 0; i < reads.size(); ++i) {
    all += alone[i] = m_memory->reading(reads[i].rows, reads[i].bytes);
  }
  Cycle beside = 0;
  for (size_t i = 0; i < reads.size(); ++i) {
    if (alone[i] == 0) continue;
    const double part = double(written.bytes) * double(alone[i]) / double(all);
    beside +=
        m_memory->cycles(reads[i].rows, reads[i].bytes, written.rows, static_cast<uint64_t>(part));
  }
  const Cycle apart = all + m_memory->writing(written.rows, written.bytes);
  return {apart, std::max(apart, beside)};
}

/// That their queues read, for commands of DLA and DMA.
uint64_t TilingCosts::command_bytes(const TileCounts& n, bool stored) const {
  const int moves = (m_shape.stream_input ? n.input_loads : 0) +
                    (m_shape.stream_operand ? n.tiles : 0) + n.parameter_block_loads +
                    (m_shape.arriving != 0 ? n.pixels : 0) + (stored ? n.tiles : 0);
  const auto words = [](int commands, unsigned each) { return uint64_t(commands) * each * 4; };
  return words(n.commands, dla::Command::kWords) + words(moves, dma::Command::kWords);
}

// Weights, and pixels on the other channel, share the port to the SRAM: each has half of it as long
// as there is something for the other one.
Cycle TilingCosts::first(const Tiling& tiling, const TileCounts& n, const TileBytes& bytes,
                         Cycle input, Cycle arriving) {
  const Cycle weights = m_shape.prefetched ? 0 : loaded(bytes.parameter_block);
  const int rows = window_of(*m_shape.layer, {0, tiling.rows, 0, 1, 0, 0}).rows();
  const Cycle tile = input / std::max(1, n.input_loads) + loaded(bytes.operand) +
                     arriving * rows / m_shape.layer->in_h;
  const Cycle more = tile * std::min(tiling.depth, n.tiles);
  return std::max(weights + std::min(weights, std::max(more, arriving)),
                  tile + std::min(tile, weights * std::min(tiling.depth, n.parameter_block_loads)));
}

TilingCosts::Stream TilingCosts::input(const Tiling& tiling, const TileCounts& n,
                                       const TileBytes& bytes) {
  if (bytes.input == 0) return {};
  return stream(*m_shape.input, m_shape.linear_input, window_pixels(tiling),
                channels_cut_by(tiling).in_blocks, n.blocks_loaded,
                window_columns(*m_shape.layer, tiling.columns));
}

const std::vector<TilingCosts::Share>& TilingCosts::shares_of(const Tiling& tiling) {
  const auto [it, fresh] = m_shares.try_emplace({tiling.rows, tiling.columns});
  std::vector<Share>& shares = it->second;
  if (!fresh) return shares;
  const layer::DlaLayer& layer = *m_shape.layer;
  // Of a kept input a tile reads the rows that have not come yet.
  const bool kept = m_shape.arriving != 0;
  const double read = kept ? layer.in_h : double(window_pixels(tiling));
  const double made = double(layer.out_h) * layer.out_w;
  int come = 0;
  const std::vector<Part> columns = column_parts(layer, tiling.columns);
  for (const Part& y : row_parts(layer, tiling.rows)) {
    for (const Part& x : columns) {
      if (shares.size() == kWalked) return shares;
      const Window window = window_of(layer, {y.begin, y.end, x.begin, x.end, 0, 0});
      const int fresh_rows = std::max(0, window.y1 - come);
      come += fresh_rows;
      const double reads = kept ? fresh_rows : double(window.rows()) * window.columns();
      shares.push_back(
          {reads / std::max(1.0, read), double(y.end - y.begin) * (x.end - x.begin) / made});
    }
  }
  return shares;
}

/// That all tiles read, one after another.
int64_t TilingCosts::window_pixels(const Tiling& tiling) {
  const layer::DlaLayer& layer = *m_shape.layer;
  const auto [rows, first] = m_rows_read.try_emplace(tiling.rows);
  if (first) {
    for (const Part& y : row_parts(layer, tiling.rows))
      rows->second += window_of(layer, {y.begin, y.end, 0, 1, 0, 0}).rows();
  }
  const auto [columns, fresh] = m_columns_read.try_emplace(tiling.columns);
  if (fresh) {
    for (const Part& x : column_parts(layer, tiling.columns))
      columns->second += window_of(layer, {0, 1, x.begin, x.end, 0, 0}).columns();
  }
  return rows->second * columns->second;
}

/// Of an output that stays, what is stored before the layer's end counts where no other one hides
/// it.
TilingCosts::Stream TilingCosts::output(const Tiling& tiling, const TileBytes& bytes) const {
  if (bytes.output == 0 && !(m_shape.linear_output && m_shape.last)) return {};
  const layer::DlaLayer& layer = *m_shape.layer;
  const int64_t pixels =
      int64_t(layer.out_h) * layer.rows_made() * layer.out_w * layer.columns_made();
  return stream(*m_shape.output, m_shape.linear_output, pixels, tiling.blocks, m_shape.blocks(),
                tiling.columns * layer.columns_made());
}

TilingCosts::Stream TilingCosts::stream(const BlockedBuffer& buffer, bool linear, int64_t pixels,
                                        int blocks, int64_t all_blocks, int columns) {
  const auto count = static_cast<uint64_t>(pixels);
  if (buffer.form != Form::kC16) {
    const uint64_t bytes = count * static_cast<uint64_t>(buffer.extent.c);
    return {Rows::dense(), bytes, bytes / kWordBytes};
  }
  const uint64_t words = count * static_cast<uint64_t>(all_blocks);
  const auto row = static_cast<uint64_t>(columns), whole = static_cast<uint64_t>(buffer.extent.w);
  if (!linear) {
    return {Rows::of_columns(row, whole, kWordBytes, 1), words * kWordBytes, words};
  }
  // The last block of a pixel may have fewer channels.
  const auto channels = static_cast<uint64_t>(buffer.extent.c);
  const uint64_t lanes = (channels + kWordBytes - 1) / kWordBytes * kWordBytes;
  const uint64_t part = std::min(channels, static_cast<uint64_t>(blocks) * kWordBytes);
  const Rows rows = part < channels || lanes != channels
                        ? Rows::of_pixels(part, channels)
                        : Rows::of_columns(row, whole, channels, channels / kWordBytes);
  return {rows, words * kWordBytes * channels / lanes, words};
}

Cycle TilingCosts::loaded(const Stream& stream) {
  return std::max(static_cast<Cycle>(stream.words), m_memory->reading(stream.rows, stream.bytes));
}

Cycle TilingCosts::loaded(uint64_t bytes) {
  return std::max(static_cast<Cycle>(bytes / kWordBytes), m_memory->reading(bytes));
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
      const ComputeCycles one = m_commands->of(sample_word(m_shape, tiling, run, m_config.dla));
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
  return (m_commands->of(word).first + kHandOver) * times;
}

}  // namespace presil::plan
