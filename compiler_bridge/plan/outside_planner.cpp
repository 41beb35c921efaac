#include "compiler_bridge/plan/outside_planner.h"

#include <algorithm>

namespace presil::plan {

std::optional<uint64_t> OutsidePlanner::lacking(int step, const Room& room) {
  if (choose(step, room) != nullptr) return std::nullopt;
  return room.taken + m_steps.least(step, false);
}

const OutsideChoice* OutsidePlanner::choose(int step, const Room& room) {
  const TensorId input = m_steps.shape(step).operands.front().tensor;
  return m_steps.choose(
      step, [&](int storage) { return m_residents.kept(storage); },
      m_residents.arriving_bytes(step, input, room.prefetch), room.budget);
}

void OutsidePlanner::add(Plan& plan, int step, const Room& room, LayersCost& cost) {
  const OutsideChoice& choice = *choose(step, room);
  cost.add({0, choice.cycles, choice.moved});
  const OutsideShape& shape = m_steps.shape(step);
  const auto [before, after] = around(plan, step, m_layout.step_count());
  const int until = m_layout.until[size_t(step)];
  LayerPlan planned;
  planned.cycles = choice.cycles;
  planned.lost = choice.lost;
  planned.outside.rows = choice.rows;
  planned.outside.blocks = choice.blocks;
  for (size_t i = 0; i < shape.operands.size(); ++i) {
    const bool result = i == shape.reads();
    const int ready =
        result ? step : blocked_ready(m_layout, m_residents, shape.operands[i].tensor);
    const int from = result ? step : std::clamp(ready, before, step);
    planned.outside.operands.push_back(new_ring(plan, choice.entry_bytes[i], choice.depth, from,
                                                result ? std::max(after, until) : until));
    planned.outside.operand_from.push_back(from);
  }
  planned.parameter_block_from = before;
  planned.parameter_block = new_ring(plan, choice.constants, choice.depth, before, until);
  plan.layers[size_t(step)] = std::move(planned);
}

}  // namespace presil::plan
