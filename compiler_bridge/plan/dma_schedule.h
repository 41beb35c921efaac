// The commands of layers that the DMA computes: its moves.
#pragma once

#include "compiler_bridge/plan/engine_scheduler.h"
#include "compiler_bridge/plan/scheduling.h"

namespace presil::plan {

class DmaScheduler : public EngineScheduler {
 public:
  explicit DmaScheduler(Scheduling& scheduling) : m_s(scheduling) {}
  void add(const layer::Work& work) override;

 private:
  Scheduling& m_s;
};

}  // namespace presil::plan
