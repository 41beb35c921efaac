// How each block of the SoC is there: as its model, as RTL, or both in lock-step. What Verilator
// makes is not part of every build: who has it gives the SoC something that makes blocks in RTL.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <tlm>

#include "models/common/ports.h"
#include "models/common/queue_frontend.h"
#include "models/common/record.h"
#include "models/common/timekeeper.h"
#include "sim/rtl/divergence.h"

namespace presil::platform {

enum class BlockKind : uint8_t { kModel, kRtl, kLockstep };

/// Of every block that has RTL.
struct BlockKinds {
  BlockKind dla = BlockKind::kModel;
  uint32_t seed = 1;   ///< of state that reset does not set, in RTL
  unsigned batch = 0;  ///< cycles that RTL is ticked at once, at most; 0: as many as it likes
};

/// Sets the kind of a block by name: ("dla", "rtl").
/// @throws Refusal for a name or a kind that there is not
void set_block(BlockKinds& kinds, const std::string& block, const std::string& kind);

/// What the SoC uses of the DLA, whatever it is.
class DlaBlock {
 public:
  virtual ~DlaBlock() = default;
  virtual tlm::tlm_target_socket<>& registers() = 0;
  virtual void on_interrupt(InterruptLine line) = 0;
  virtual void observe(CommandObserver observer) = 0;
  /// In lock-step: the same commands as the model has run them.
  virtual void observe_model(CommandObserver) {}
  /// The job has failed: in lock-step, what the model has done and the RTL has not is the
  /// divergence.
  virtual void stuck() {}
  /// Why it has stopped for good, nullptr where it has not.
  virtual const rtl::Divergence* divergence() const { return nullptr; }
};

/// What a DLA is put into.
struct DlaPlace {
  const SocConfig& config;
  const BlockKinds& kinds;
  Timekeeper& timekeeper;
  BurstPort& fetch;
  BytePort& system;
  BytePort& sram;
  CounterPort& counters;
  /// Hands over what to call when a counter changes.
  std::function<void(std::function<void(uint8_t id)>)> watch;
};

class RtlMaker {
 public:
  virtual ~RtlMaker() = default;
  virtual std::unique_ptr<DlaBlock> dla(const DlaPlace& place) const = 0;
};

/// Of this program; nullptr where it is built without Verilator. Linked in, one way or the other.
const RtlMaker* rtl_maker();

}  // namespace presil::platform
