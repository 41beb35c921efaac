// The task of a layer that a kernel of the host computes.
#pragma once

#include "compiler_bridge/plan/engine_scheduler.h"
#include "compiler_bridge/plan/scheduling.h"

namespace presil::plan {

class HostScheduler : public EngineScheduler {
 public:
  explicit HostScheduler(Scheduling& scheduling) : m_s(scheduling) {}
  void add(const layer::Work& work) override;

 private:
  Scheduling& m_s;
};

}  // namespace presil::plan
