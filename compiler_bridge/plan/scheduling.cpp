#include "compiler_bridge/plan/scheduling.h"

#include <algorithm>

namespace presil::plan {

Scheduling::Scheduling(const ir::Graph& graph_, const Layout& layout_, const Plan& plan_,
                       const SocConfig& config_)
    : graph(graph_),
      layout(layout_),
      plan(plan_),
      config(config_),
      queues(dma_queues(config_.dma)),
      places(layout_, plan_, put_constants()) {
  schedule.tensors = record_tensors(graph, layout, places);
}

void Scheduling::begin(int next_step) {
  program.dispatch();
  m_first_slot.push_back(program.next_slot());
  step = next_step;
  layer = layout.steps[size_t(step)];
}

std::vector<uint64_t> Scheduling::put_constants() {
  std::vector<uint64_t> offsets = plan.linear_offsets;
  for (size_t i = 0; i < layout.linear_buffers.size(); ++i) {
    if (layout.linear_buffers[i].region != PRESIL_REGION_CONSTANTS) continue;
    for (TensorId t : layout.linear_buffers[i].tensors) {
      if (!graph.tensor(t).is_constant()) continue;
      offsets[i] = schedule.image.add(*graph.tensor(t).data, PRESIL_BURST_BYTES);
    }
  }
  return offsets;
}

int Scheduling::slot_from(int from, uint8_t queue) const {
  if (from >= step) return m_first_slot[size_t(step)];
  const LayerPlan& there = plan.layers[size_t(from)];
  const bool busy = queue == queues.weights ? there.parameter_block.buffers.size() > 1
                                            : there.input.used() || there.operand.used();
  const int first = m_first_slot[size_t(from)], next = m_first_slot[size_t(from) + 1];
  return busy ? std::max(first, next - 1) : first;
}

}  // namespace presil::plan
