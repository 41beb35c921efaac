#include "compiler_bridge/plan/layer_plans.h"

#include <algorithm>

namespace presil::plan {
namespace {

Ring new_ring(Plan& plan, uint64_t entry, int depth, int first, int last) {
  Ring r;
  r.entry_bytes = entry;
  for (int i = 0; entry != 0 && i < depth; ++i) {
    r.buffers.push_back(static_cast<int>(plan.buffers.size()));
    plan.buffers.push_back({entry, kWordBytes, first, last});
  }
  return r;
}

}  // namespace

LayerPlans::Around LayerPlans::around(const Plan& plan, int step) const {
  if (plan.prefetch == 0) return {step, step};
  return {std::max(0, step - 1), std::min(step + 1, m_layout.step_count() - 1)};
}

int LayerPlans::ready(TensorId tensor) const {
  const int index = m_layout.place(tensor).storage;
  const BlockedBuffer& buffer = m_layout.blocked_buffers[size_t(index)];
  if (buffer.load != kNone) return m_layout.loads[size_t(buffer.load)].ready;
  return m_residents.made_by(index);
}

int LayerPlans::weights_ready(const layer::DlaLayer& layer) const {
  const TensorId t = layer.weights_from;
  if (t == kNoTensor) return 0;
  return m_layout.stored_weights(t) ? ready(t) : m_layout.linear_ready(t);
}

LayerPlan LayerPlans::of_dla(Plan& plan, int step, const LayerShape& shape,
                             const TilingChoice& choice) const {
  const Tiling& tiling = choice.tiling;
  const TileBytes bytes = tile_bytes(shape, tiling, m_config.dla);
  const RingDepths depths = ring_depths(shape, tiling, m_config.dla);
  const auto [before, after] = around(plan, step);
  LayerPlan layer;
  layer.cycles = choice.cycles;
  layer.lost = choice.lost;
  layer.tiling = tiling;
  layer.runs = shape.runs;
  layer.packed = shape.packed;
  layer.parameter_block_from =
      depths.parameter_block > 1 ? before : std::max(0, step - plan.prefetch);
  layer.parameter_block_from = std::max(layer.parameter_block_from, weights_ready(*shape.layer));
  // Weights that come in turn must not queue after all that later layers need.
  for (int other = layer.parameter_block_from + 1; other < step; ++other) {
    if (plan.layers[size_t(other)].parameter_block.buffers.size() > 1)
      layer.parameter_block_from = other;
  }
  layer.input_from = std::clamp(ready(shape.layer->input), before, step);
  if (shape.operand != nullptr) {
    layer.operand_from = std::clamp(ready(shape.layer->ew.operand), before, step);
  }
  layer.input = new_ring(plan, bytes.input, depths.input, layer.input_from, step);
  layer.operand = new_ring(plan, bytes.operand, depths.operand, layer.operand_from, step);
  layer.output = new_ring(plan, bytes.output, depths.output, step, after);
  layer.parameter_block = new_ring(plan, bytes.parameter_block, depths.parameter_block,
                                   layer.parameter_block_from, step);
  layer.sums = new_ring(plan, bytes.sums, 1, step, step);
  return layer;
}

LayerPlan LayerPlans::of_dsp(Plan& plan, int step, const layer::DspLayer& layer,
                             const MovedOperands& moved, const DspChoice& choice) const {
  const auto [before, after] = around(plan, step);
  LayerPlan planned;
  planned.cycles = choice.cycles;
  planned.lost = choice.lost;
  planned.parameter_block_from = std::max(0, step - plan.prefetch);
  const uint64_t parameter_block = dsp_parameter_block(layer, moved, choice.tiles).bytes;
  planned.parameter_block = new_ring(plan, parameter_block, 1, planned.parameter_block_from, step);
  planned.dsp.tiles = choice.tiles;
  planned.dsp.scratch = new_ring(plan, layer.scratch_bytes, 1, step, step);
  const int64_t rows = rows_of_tile(layer, choice.tiles);
  const auto add = [&](const layer::DspOperand& operand, int first, int last) {
    const bool has_ring = moved[planned.dsp.operands.size()];
    const uint64_t entry = has_ring ? most_bytes(layer, operand, rows) : 0;
    const int depth = operand.is_cut() ? choice.depth : 1;
    planned.dsp.operands.push_back(new_ring(plan, entry, depth, first, last));
    planned.dsp.operand_from.push_back(first);
  };
  for (const layer::DspOperand& operand : layer.inputs) {
    const bool made = !operand.constant && m_layout.place(operand.tensor).flat != kNone;
    const int ready = made ? m_layout.linear_ready(operand.tensor) : 0;
    add(operand, std::clamp(ready, before, step), step);
  }
  for (const layer::DspOperand& operand : layer.outputs) add(operand, step, after);
  return planned;
}

LayerPlan LayerPlans::of_outside(Plan& plan, int step, const OutsideShape& shape,
                                 const OutsideChoice& choice) const {
  const auto [before, after] = around(plan, step);
  LayerPlan planned;
  planned.cycles = choice.cycles;
  planned.lost = choice.lost;
  planned.outside.rows = choice.rows;
  planned.outside.blocks = choice.blocks;
  for (size_t i = 0; i < shape.operands.size(); ++i) {
    const bool result = i == shape.reads();
    const int from = result ? step : std::clamp(ready(shape.operands[i].tensor), before, step);
    planned.outside.operands.push_back(
        new_ring(plan, choice.entry_bytes[i], choice.depth, from, result ? after : step));
    planned.outside.operand_from.push_back(from);
  }
  planned.parameter_block_from = before;
  planned.parameter_block = new_ring(plan, choice.constants, choice.depth, before, step);
  return planned;
}

}  // namespace presil::plan
