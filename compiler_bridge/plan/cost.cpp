#include "compiler_bridge/plan/cost.h"

#include <algorithm>

namespace presil::plan {
namespace {

Cycle ceil_div(Cycle a, Cycle b) {
  return (a + b - 1) / b;
}

/// Passes of a block (weight sets), and steps per pixel of a pass.
struct Passes {
  Cycle count = 1;
  Cycle steps = 1;
};

Passes passes_of(const DlaLayer& layer, bool packed, int in_blocks, const DlaConfig& config) {
  const Cycle kh = layer.kernel_h, kw = layer.kernel_w;
  switch (layer.op) {
    case dla::Op::kConv:
      if (packed) return {ceil_div(kw * layer.in_c, 16) * kh, 1};
      return {ceil_div(16 * in_blocks, config.macs_c) * kh * kw, 1};
    case dla::Op::kPass:
      return {1, 1};
    default:
      return {ceil_div(kh, 4) * ceil_div(kw, 4),
              std::min<Cycle>(layer.stride_x, std::min<Cycle>(kw, 4))};
  }
}

}  // namespace

int block_rows(const DlaLayer& layer, int rows, int columns, const DlaConfig& config) {
  constexpr int kFieldLimit = 128;
  int most = std::min(rows, kFieldLimit);
  if (layer.op != dla::Op::kPass) {
    most = std::min(most, std::max(1, static_cast<int>(config.acc_depth) / columns));
  }
  const int count = (rows + most - 1) / most;
  return (rows + count - 1) / count;
}

Cycle compute_cycles(const DlaLayer& layer, bool packed, int in_blocks, const Tile& tile,
                     const DlaConfig& config) {
  const Passes passes = passes_of(layer, packed, in_blocks, config);
  const int rows = block_rows(layer, tile.rows(), tile.columns(), config);
  const Cycle blocks = ceil_div(tile.rows(), rows);
  const Cycle pixels = static_cast<Cycle>(rows) * tile.columns();
  const Cycle groups = ceil_div(16 * tile.blocks(), config.macs_k);
  const bool weighted = layer.op == dla::Op::kConv || layer.op == dla::Op::kDwconv;
  const Cycle set_words = weighted ? ceil_div(config.macs_k, config.weight_ports) + 1 : 4;
  Cycle post = ceil_div(config.macs_k, config.post_lanes);
  if (layer.ew.op != dla::EwOp::kNone) {
    post = std::max(post, ceil_div(config.macs_k, config.ew_lanes));
  }
  if (layer.upsample2) post = std::max<Cycle>(post, 4);
  const Cycle pass = std::max(pixels * passes.steps, set_words);
  const Cycle last = std::max(pass, pixels * post);
  constexpr Cycle kFill = 45;  // start to first operand, last operand to last word, signal
  return kFill + groups * blocks * ((passes.count - 1) * pass + last);
}

Cycle move_cycles(uint64_t bytes, uint64_t commands, const SocConfig& config) {
  // Peak in bytes per cycle; a DMA command takes about 90 cycles from wait to signal without data.
  const double peak = double(config.dram.peak_mb_per_s) / double(config.clock_mhz);
  constexpr double kCommand = 90;
  const double rate = std::min(peak, double(config.noc.data_bytes));
  return static_cast<Cycle>(double(bytes) / rate + kCommand * double(commands));
}

Cycle TileCost::total() const {
  if (depth < 2 || tiles < 2) return load + compute + store;
  return std::max({load, compute, store}) + (load + store + compute) / tiles;
}

}  // namespace presil::plan
