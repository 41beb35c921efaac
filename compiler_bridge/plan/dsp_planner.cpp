#include "compiler_bridge/plan/dsp_planner.h"

#include <algorithm>

namespace presil::plan {

// ---- how many tiles

std::optional<uint64_t> DspPlanner::lacking(int step, const Room& room) {
  const DspChoice choice = choose(step, room);
  if (choice.tiles != 0) return std::nullopt;
  return m_config.sram.bytes - room.budget + choice.bytes;
}

DspChoice DspPlanner::choose(int step, const Room& room) {
  const auto [it, fresh] = m_menus[size_t(step)].try_emplace(moved_by(step));
  if (fresh) {
    it->second = dsp_menu(layer(step), it->first, m_config);
    m_search.spend(it->second.size());
  }
  return choose_dsp(it->second, room.budget);
}

MovedOperands DspPlanner::moved_by(int step) const {
  return moved_operands(layer(step), m_layout,
                        [&](int flat) { return flat != kNone && m_residents.is_resident(flat); });
}

// ---- its buffers

void DspPlanner::add(Plan& plan, int step, const Room& room, LayersCost& cost) {
  const DspChoice choice = choose(step, room);
  cost.add({0, choice.cycles, choice.moved});
  plan.layers[size_t(step)] = planned(plan, step, moved_by(step), choice);
}

LayerPlan DspPlanner::planned(Plan& plan, int step, const MovedOperands& moved,
                              const DspChoice& choice) const {
  const layer::DspLayer& layer = this->layer(step);
  const auto [before, after] = around(plan, step, m_layout.step_count());
  LayerPlan planned;
  planned.cycles = choice.cycles;
  planned.lost = choice.lost;
  planned.parameter_block_from = std::max(0, step - plan.prefetch);
  const uint64_t parameter_block = dsp_parameter_block(layer, moved, choice.tiles).bytes;
  const int until = m_layout.until[size_t(step)];
  planned.parameter_block = new_ring(plan, parameter_block, 1, planned.parameter_block_from, until);
  planned.dsp.tiles = choice.tiles;
  planned.dsp.scratch = new_ring(plan, layer.scratch_bytes, 1, step, until);
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
    add(operand, std::clamp(ready, before, step), until);
  }
  for (const layer::DspOperand& operand : layer.outputs) add(operand, step, std::max(after, until));
  return planned;
}

// ---- the least

uint64_t DspPlanner::least(int step) {
  return layer(step).is_stored() ? 0 : least(step, {});
}

uint64_t DspPlanner::least_with_any_kept(int step) {
  std::set<int> buffers;
  for (const auto* operands : {&layer(step).inputs, &layer(step).outputs}) {
    for (const layer::DspOperand& o : *operands) {
      const int index = m_layout.place(o.tensor).flat;
      if (o.is_moved() && m_layout.linear_buffers[size_t(index)].uses_of_dsp > 0)
        buffers.insert(index);
    }
  }
  constexpr size_t kMost = 8;
  if (buffers.size() > kMost) return 0;  // too many ways to say
  uint64_t least = UINT64_MAX;
  each_subset(buffers, [&](const std::set<int>& kept) {
    uint64_t bytes = this->least(step, kept);
    for (const int index : kept) bytes += m_layout.linear_buffers[size_t(index)].bytes;
    least = std::min(least, bytes);
  });
  return least;
}

uint64_t DspPlanner::least(int step, const std::set<int>& kept) const {
  const MovedOperands moved =
      moved_operands(layer(step), m_layout, [&](int flat) { return kept.count(flat) != 0; });
  uint64_t least = UINT64_MAX;
  for (const DspChoice& choice : dsp_menu(layer(step), moved, m_config)) {
    least = std::min(least, choice.bytes);
  }
  return least;
}

}  // namespace presil::plan
