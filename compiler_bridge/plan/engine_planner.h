// What planning asks of an engine about its own layers: what they take of the SRAM, and how they
// are cut into tiles. The answers here are those of an engine that reads and writes memory alone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler_bridge/plan/cost.h"
#include "compiler_bridge/plan/plan.h"

namespace presil::plan {

/// What one attempt at a plan leaves for the layer of a step.
struct Room {
  uint64_t taken = 0;     ///< bytes of the SRAM that stay for others at the step
  uint64_t budget = 0;    ///< bytes for the buffers of its tiles
  int prefetch = 0;       ///< steps that weights are loaded ahead
  bool in_order = false;  ///< tilings are chosen for what the layers before leave to be waited for
};

/// Loads of a planned layer that may begin as early as step `ready`.
struct EarlyLoads {
  const Ring* ring = nullptr;
  int* from = nullptr;  ///< the step from which they may be under way as planned
  int ready = 0;
};

/// Steps are those of its own layers.
class EnginePlanner {
 public:
  virtual ~EnginePlanner() = default;

  /// Bytes of the SRAM that are missing a tiling in that room: all that the step takes then.
  /// nullopt: there is one.
  virtual std::optional<uint64_t> lacking(int, const Room&) { return std::nullopt; }
  /// Adds the layer's buffers to the plan and its time to that of the layers before; what else is
  /// planned of it goes to the plan's layers. @pre nothing is lacking
  virtual void add(Plan&, int, const Room&, LayersCost&) {}
  /// What of it may begin earlier in the finished plan.
  virtual std::vector<EarlyLoads> early_loads(int, LayerPlan&) const { return {}; }

  /// Bytes of the SRAM in its smallest tiles, with none of its tensors kept there; 0: not known.
  virtual uint64_t least(int) { return 0; }
  /// A lower bound, whatever is kept. Asked where least() is more than there is.
  virtual uint64_t least_with_any_kept(int) { return 0; }
  /// Blocked buffers that its tiles could not enter, were they kept.
  virtual std::vector<int> not_to_keep(int) const { return {}; }
  /// Its parameter block, where all of it is in one buffer at once and the graph has all of its
  /// bytes, so that layers with the same bytes may share one; else none.
  virtual std::vector<uint8_t> whole_parameter_block(const Plan&, int) const { return {}; }
};

}  // namespace presil::plan
