// What those who put an engine's commands share while the program is written down: what is planned,
// where it lies, which step it is.
#pragma once

#include <vector>

#include "compiler_bridge/plan/addresses.h"
#include "compiler_bridge/plan/program.h"

namespace presil::plan {

struct Scheduling {
  Scheduling(const ir::Graph& graph, const Layout& layout, const Plan& plan,
             const SocConfig& config);

  const ir::Graph& graph;
  const Layout& layout;
  const Plan& plan;
  const SocConfig& config;
  const DmaQueues queues;
  Schedule schedule;
  const Addresses places;
  ProgramBuilder program;
  int step = 0, layer = kNone;  ///< the one under way
  /// The newest load whose layer waits for rows as they come: the memory is theirs until the last
  /// one is there, before what later layers need of it.
  struct Arrival {
    int step = kNone;
    int slot = 0;   ///< before which its last rows are loaded
    int waits = 0;  ///< the first step whose weights wait
  } arrival;

  const LayerPlan& layer_plan() const { return plan.layers[size_t(step)]; }

  void begin(int next_step);
  int first_slot() const { return first_slot(step); }
  /// @pre of_step <= step
  int first_slot(int of_step) const { return m_first_slot[size_t(of_step)]; }
  /// The slot before which a load may be put that can be under way from step `from` on. Where that
  /// step's own tiles come through the same queue, before its last command, so that they go first.
  int slot_from(int from, uint8_t queue) const;
  /// Of this layer.
  ProgramBuilder::Entry entry(DmaCopy copy, uint8_t queue, uint32_t tile) const {
    return dma_entry(std::move(copy), queue, layer, tile);
  }

 private:
  /// Constants that are read as they are go into the image. @return the offsets of all linear
  /// buffers
  std::vector<uint64_t> put_constants();

  std::vector<int> m_first_slot;  ///< by step
};

}  // namespace presil::plan
