#include "compiler_bridge/plan/dma_schedule.h"

#include "compiler_bridge/layer/dma_layer.h"

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

}  // namespace presil::plan
