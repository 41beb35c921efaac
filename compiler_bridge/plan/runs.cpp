#include "compiler_bridge/plan/runs.h"

#include <algorithm>

namespace presil::plan {
namespace {

constexpr int kMostStep = dla::Command::kInKbStepMax;

/// The input blocks of the groups that own output blocks [b0, b1), as a run of them.
Run reach(const layer::DlaLayer& layer, const Lanes& in, const std::vector<int>& channel_of_lane,
          int b0, int b1) {
  int first = layer.out_c, last = 0;
  for (int lane = 16 * b0; lane < 16 * b1; ++lane) {
    const int channel = channel_of_lane[size_t(lane)];
    if (channel < 0) continue;
    first = std::min(first, channel), last = std::max(last, channel);
  }
  const int outputs = layer.out_c / layer.groups, inputs = layer.in_c / layer.groups;
  const int c0 = in.block_of(first / outputs * inputs);
  const int c1 = in.block_of((last / outputs + 1) * inputs - 1) + 1;
  return {b0, b1, c0, c1 - c0, 0};
}

/// Appends output blocks to a run, if one command can walk through them too.
bool extend(Run& run, const Run& next, int blocks_at_once) {
  const int step = next.c0 - (run.c0 + (run.blocks() - 1) * run.step);
  const bool second = run.blocks() == blocks_at_once;
  if (next.in_blocks != run.in_blocks || (!second && step != run.step)) return false;
  if (step > kMostStep || (step != 0 && blocks_at_once != 1)) return false;
  run.step = step;
  run.b1 = next.b1;
  return true;
}

}  // namespace

std::vector<Run> runs_of(const layer::DlaLayer& layer, bool packed, const Lanes& in,
                         const Lanes& out, const DlaConfig& config) {
  const int blocks = out.blocks();
  if (layer.is_lane_wise()) return {{0, blocks, 0, 1, 1}};
  if (packed) return {{0, blocks, 0, 1, 0}};
  if (layer.groups == 1) return {{0, blocks, 0, in.blocks(), 0}};
  const int at_once = std::max(1, static_cast<int>(config.macs_k) / kWordBytes);
  const std::vector<int> channel_of_lane = out.channel_of_lane();
  std::vector<Run> runs;
  for (int b = 0; b < blocks; b += at_once) {
    const Run next = reach(layer, in, channel_of_lane, b, std::min(b + at_once, blocks));
    if (runs.empty() || !extend(runs.back(), next, at_once)) runs.push_back(next);
  }
  return runs;
}

}  // namespace presil::plan
