#include "compiler_bridge/plan/choose_tiling.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "compiler_bridge/plan/dla_word.h"
#include "compiler_bridge/plan/search.h"
#include "compiler_bridge/plan/tile_counts.h"
#include "compiler_bridge/plan/tiling_costs.h"

namespace presil::plan {
namespace {

/// May its sums be made in parts? Only the last command of a pixel requantises, and one that goes
/// on from sums has no port left for a second operand.
bool has_parts(const LayerShape& shape) {
  return shape.layer->op == dla::Op::kConv && !shape.packed && shape.operand == nullptr &&
         !shape.layer->has_computed_weights();
}

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
  if (layer.diagonal != 0) columns = {std::min(diagonal_columns(layer, config.dla), layer.out_w)};
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

std::vector<TilingChoice> tiling_menu(const LayerShape& shape, Cut cut, const SocConfig& config,
                                      bool coarse, Search* search, uint64_t most) {
  if (most == 0) most = config.sram.bytes;
  struct Candidate {
    Tiling tiling;
    uint64_t bytes;
  };
  std::vector<Candidate> all;
  std::optional<Search> own;
  if (search == nullptr) search = &own.emplace();
  CommandTimes& commands = search->commands(config);
  const uint64_t played = commands.played();
  TilingCosts costs(shape, config, &search->memory(config), &commands);
  for_each_tiling(shape, cut, coarse, config, [&](const Tiling& tiling) {
    all.push_back({tiling, costs.bytes(tiling)});
  });
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.bytes < b.bytes; });
  std::vector<TilingChoice> menu;
  // Of those of one size the fastest may enter; coarse tilings come first, and finer ones must be
  // faster by what no estimate is sure of.
  constexpr Cycle kSure = 128;
  for (size_t i = 0; i < all.size();) {
    const uint64_t bytes = all[i].bytes;
    if (!menu.empty() && bytes > most) break;  // nothing has so much
    std::optional<TilingChoice> best;
    for (; i < all.size() && all[i].bytes == bytes; ++i) {
      const Cycle to_beat =
          best ? best->cycles - best->cycles / kSure
               : (menu.empty() ? std::numeric_limits<Cycle>::max() : menu.back().cycles);
      const TilingCosts::Moved moved = costs.moved(all[i].tiling);
      if (costs.least_cycles(all[i].tiling, moved, to_beat) >= to_beat) continue;
      const TilingChoice choice = costs(all[i].tiling, moved, to_beat);
      if (choice.cycles < to_beat) best = choice;
    }
    if (best) menu.push_back(*best);
  }
  // What a tiling computes longer than another one is lost to moving data too.
  Cycle computed = std::numeric_limits<Cycle>::max();
  for (const TilingChoice& c : menu) computed = std::min(computed, c.cycles - c.lost);
  for (TilingChoice& c : menu) c.lost = c.cycles - computed;
  constexpr uint64_t kTimed = 10, kPlayed = 16, kLooked = 4;  // units: for one; of so many for one
  search->spend(kTimed * costs.timed() + all.size() / kLooked + 1);
  search->played((commands.played() - played) / kPlayed);
  return menu;
}

std::optional<TilingChoice> tiling_choice(const LayerShape& shape, const Tiling& tiling,
                                          const SocConfig& config, Search& search) {
  // Dense rows that are kept cannot be entered in the middle of a word.
  const bool dense = shape.input->form == Form::kRows && !shape.stream_input;
  if (dense && tiling.columns < shape.layer->out_w) return std::nullopt;
  bool known = false;
  for (const Cut cut : {Cut::kColumns, Cut::kChannels}) {
    for (const bool coarse : {true, false}) {
      if (known) break;
      for_each_tiling(shape, cut, coarse, config,
                      [&](const Tiling& one) { known = known || one == tiling; });
    }
  }
  if (!known) return std::nullopt;
  TilingCosts costs(shape, config, &search.memory(config), &search.commands(config));
  return costs(tiling, costs.moved(tiling));
}

uint64_t least_bytes(const LayerShape& shape, Cut cut, const SocConfig& config, uint64_t enough) {
  TilingCosts costs(shape, config, nullptr, nullptr);
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
