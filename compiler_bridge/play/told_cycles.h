// Cycles of commands whose engines have no plain model of time: of the DSP, the host and engines
// from outside, as plans are estimated with.
#pragma once

#include "compiler_bridge/plan/schedule.h"

namespace presil::play {

class ToldCycles {
 public:
  ToldCycles(const ir::Graph& graph, const plan::Layout& layout, const plan::Plan& plan,
             const SocConfig& config)
      : m_graph(graph), m_layout(layout), m_plan(plan), m_config(config) {}

  /// From the last wait that is met to the signal.
  Cycle operator()(const plan::ScheduledCommand& command) const;

 private:
  Cycle of_outside(int step, uint32_t tile) const;

  const ir::Graph& m_graph;
  const plan::Layout& m_layout;
  const plan::Plan& m_plan;
  const SocConfig& m_config;
};

}  // namespace presil::play
