#include "compiler_bridge/plan/task_schedule.h"

#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/plan/host_task.h"

namespace presil::plan {

void DmaScheduler::add(const layer::Work& work) {
  const auto& layer = *work.as<layer::DmaLayer>();
  const uint64_t to = m_s.places.linear_offset(layer.output);
  for (const layer::DmaLayer::Move& move : layer.moves) {
    const uint64_t from = m_s.places.linear_offset(move.input);
    for (DmaCopy& copy : copy_rows(move.bytes, m_s.places.linear_space(move.input), from,
                                   m_s.places.linear_space(layer.output), to, layer.flip_sign)) {
      ProgramBuilder::Entry e = m_s.entry(std::move(copy), m_s.queues.copies, 0);
      e.completes = m_s.layout.sharing_linear(layer.output);
      e.completes_linear = true;
      m_s.program.compute(std::move(e));
    }
  }
}

void HostScheduler::add(const layer::Work& work) {
  HostTask task = host_task(*work.as<layer::HostLayer>(), m_s.graph, m_s.layout, m_s.places,
                            m_s.schedule.image);
  ProgramBuilder::Entry e;
  e.queue = PRESIL_QUEUE_HOST;
  e.layer = m_s.layer;
  e.word = task.command;
  e.accesses = std::move(task.accesses);
  e.completes = std::move(task.completes);
  e.completes_linear = true;
  m_s.program.compute(std::move(e));
}

}  // namespace presil::plan
