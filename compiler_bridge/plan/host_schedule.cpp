#include "compiler_bridge/plan/host_schedule.h"

#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/plan/host_task.h"

namespace presil::plan {

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
