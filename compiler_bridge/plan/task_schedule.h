// The commands of layers that are one task each: moves of the DMA, kernels of the host.
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

class HostScheduler : public EngineScheduler {
 public:
  explicit HostScheduler(Scheduling& scheduling) : m_s(scheduling) {}
  void add(const layer::Work& work) override;

 private:
  Scheduling& m_s;
};

}  // namespace presil::plan
