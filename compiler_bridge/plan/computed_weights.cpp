#include "compiler_bridge/plan/computed_weights.h"

#include <algorithm>
#include <iterator>

#include "compiler_bridge/plan/dla_word.h"

namespace presil::plan {

int corrections(const layer::DlaLayer& layer) {
  if (!layer.has_computed_weights() || layer.in_zero == 0) return 0;
  return layer.in_zero == -128 ? 2 : 1;
}

int8_t correction_value(const layer::DlaLayer& layer) {
  return static_cast<int8_t>(layer.in_zero == -128 ? 64 : -layer.in_zero);
}

dla::Command correction_word(const layer::DlaLayer& layer, const Run& run,
                             const RunParameterBlock& parameter_block, uint64_t at,
                             int lanes_last) {
  const auto address = [&](uint32_t offset) { return static_cast<uint32_t>(at + offset); };
  dla::Command c = dla::Command::make(dla::Op::kConv);
  c.block_rows = 1;
  c.in_base = address(parameter_block.pixel);
  c.in_row_pitch = c.in_cb_pitch = kWordBytes;
  c.in_x_step = kWordBytes;
  c.in_blocks = static_cast<uint16_t>(run.in_blocks);
  c.in_h = c.in_w = 1;
  c.kernel_h = c.kernel_w = c.stride_y = c.stride_x = c.dil_y = c.dil_x = 1;
  c.out_h = c.out_w = 1;
  c.out_type = dla::OutType::kInt32;
  c.rule = dla::Rule::kNone;
  c.out_base = address(parameter_block.params);
  c.out_row_pitch = c.out_cb_pitch = kParamBytes;
  c.out_x_step = kSumsBytes;
  c.out_blocks = static_cast<uint16_t>(run.blocks());
  c.out_lanes_last = static_cast<uint8_t>(lanes_last);
  c.p_base = address(parameter_block.params);
  c.w_base = address(parameter_block.weights);
  c.w_kb_pitch = parameter_block.kb_pitch;
  c.w_cb_pitch = parameter_block.cb_pitch;
  c.w_zero = static_cast<int8_t>(layer.weight_zero);
  return c;
}

std::vector<Access> correction_accesses(const Run& run, const ParameterBlock& parameter_block,
                                        uint64_t at) {
  const RunParameterBlock& own = parameter_block.runs.front();
  const uint64_t pixel = at + own.pixel, params = at + own.params;
  std::vector<Access> all = {
      {kSram, Gate::kIn, false, pixel, pixel + uint64_t(kWordBytes) * uint64_t(run.in_blocks)},
      {kSram, Gate::kWeights, false, at, at + parameter_block.bytes}};
  for (int b = 0; b < run.blocks(); ++b) {
    const uint64_t bias = params + uint64_t(kParamBytes) * uint64_t(b);
    all.push_back({kSram, Gate::kOut, true, bias, bias + kSumsBytes});
  }
  return all;
}

WeightSets weight_sets(const layer::DlaLayer& layer, const RunParameterBlock& parameter_block,
                       uint64_t at, const DlaConfig& config) {
  WeightSets sets;
  sets.base = at + parameter_block.weights;
  sets.kb_pitch = parameter_block.kb_pitch, sets.cb_pitch = parameter_block.cb_pitch;
  sets.macs_k = config.macs_k, sets.macs_c = config.macs_c;
  sets.zero = static_cast<int8_t>(layer.weight_zero);
  return sets;
}

std::vector<DmaCopy> weight_copies(const layer::DlaLayer& layer, const Tile& tile,
                                   const Extent& matrices, const Layout& layout,
                                   const Addresses& places, const WeightSets& sets) {
  const TensorId t = layer.weights_from;
  const int row = layer.weights_by_row ? tile.y0 : 0;
  const int columns = matrices.w, channels = matrices.c, blocks = (channels + 15) / 16;
  const Window rows{row, row + 1, 16 * tile.b0, std::min(16 * tile.b1, columns), 0, 0};
  std::vector<DmaCopy> copies = fill_sets(rows.columns(), blocks, sets);
  const auto add = [&](std::vector<DmaCopy> more) {
    std::move(more.begin(), more.end(), std::back_inserter(copies));
  };
  const bool stored = layout.stored_weights(t);
  if (stored && places.kept(t).keep != Keep::kLinear) {
    add(copy_to_sets(places.stored(t, columns, rows, 0, blocks), sets));
    return copies;
  }
  const TensorPlace& place = layout.place(t);
  const auto from = stored ? place.stores.front() : TensorPlace::Store{t, 0, channels, false};
  add(load_sets(places.flat(from.tensor, columns, rows, from.channel, channels, from.channels),
                sets, from.flip_sign));
  return copies;
}

}  // namespace presil::plan
