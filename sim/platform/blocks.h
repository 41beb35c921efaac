// How each block of the SoC is there: as its model, as RTL, or both in lock-step. What Verilator
// makes is not part of every build: a program that has it gives the SoC a maker of blocks in RTL.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tlm>
#include <vector>

#include "models/common/bank_load.h"
#include "models/common/ports.h"
#include "models/common/queue_frontend.h"
#include "models/common/record.h"
#include "models/common/timekeeper.h"
#include "models/noc/crossbar.h"
#include "sim/rtl/divergence.h"
#include "sim/rtl/waveform.h"

namespace presil {
class EngineLibrary;
}
namespace presil::dsp {
class ProgramWatch;
}
namespace presil::sync {
class SyncUnit;
}

namespace presil::platform {

enum class BlockKind : uint8_t { kModel, kRtl, kLockstep };

/// Of every block that can have RTL.
struct BlockKinds {
  BlockKind dla = BlockKind::kModel, dma = BlockKind::kModel, sync = BlockKind::kModel;
  std::map<std::string, BlockKind> outside;  ///< of engines from outside that are not their models
  uint32_t seed = 1;                         ///< of state that reset does not set, in RTL
  unsigned batch = 0;      ///< cycles that RTL is ticked at once, at most; 0: as many as it likes
  rtl::TraceWindow trace;  ///< waveforms of blocks in RTL
  bool values = true;      ///< false: the DLA's model takes its time alone, it computes nothing
};

/// Sets the kind of a block by name: ("dla", "rtl"); of an engine from outside once it is loaded.
/// @throws Refusal for a name or a kind that there is not
void set_block(BlockKinds& kinds, const std::string& block, const std::string& kind);

/// What the SoC uses of a block, whatever it is.
class Block {
 public:
  virtual ~Block() = default;
  virtual tlm::tlm_target_socket<>& registers() = 0;
  virtual void on_interrupt(InterruptLine line) = 0;
  /// Called at the end of every command that it runs.
  virtual void observe(CommandObserver) {}
  /// By tag the layer that a command belongs to: of the network whose jobs come next.
  virtual void set_layers(const std::shared_ptr<const std::vector<int>>&) {}
  /// A command of the DMA that moved data has ended.
  virtual void moved(const CommandRecord&) {}
  /// In lock-step: the same commands as the model has run them.
  virtual void observe_model(CommandObserver) {}
  /// The job has failed: in lock-step, what the model has done and the RTL has not is the
  /// divergence.
  virtual void stuck() {}
  /// Its queues, where it is a model; empty: they cannot be looked at.
  virtual std::vector<QueueFrontend*> queues() { return {}; }
  /// As after power-on, once what is under way has come back. @return false: it cannot
  virtual bool reset() { return false; }
  /// Why it has stopped for good, nullptr where it has not.
  virtual const rtl::Divergence* divergence() const { return nullptr; }
};

/// Sync, to which the other blocks have links besides.
class SyncBlock : public Block {
 public:
  /// The links of a queue.
  virtual CounterPort& port(uint8_t queue) = 0;
  /// Adds what to call when a counter has changed, after those that wait for it.
  virtual void watch(std::function<void(uint8_t id)> watcher) = 0;
  /// The unit, where it is a model.
  virtual sync::SyncUnit* unit() { return nullptr; }
};

/// The DSP, whose programs can be looked at.
class DspBlock : public Block {
 public:
  /// nullptr: no watch.
  virtual void watch_programs(dsp::ProgramWatch* watch) = 0;
};

/// Takes what to call when a counter changes.
using CounterWatch = std::function<void(std::function<void(uint8_t id)>)>;

// ---- What each block is put into.

struct SyncPlace {
  const SocConfig& config;
  const BlockKinds& kinds;
  Timekeeper& timekeeper;
};

struct DlaPlace {
  const SocConfig& config;
  const BlockKinds& kinds;
  uint8_t queue;  ///< which DLA of the tile: enum presil_queue
  Timekeeper& timekeeper;
  BurstPort& fetch;
  BytePort& system;
  BytePort& sram;
  CounterPort& counters;
  CounterWatch watch;
  BankLoad& banks;  ///< a model says what it takes of the SRAM; RTL does not
};

struct DspPlace {
  const SocConfig& config;
  Timekeeper& timekeeper;
  BurstPort& port;  ///< into the crossbar
  BytePort& system;
  BytePort& sram;
  CounterPort& counters;
  BankLoad& banks;
};

struct DmaPlace {
  const SocConfig& config;
  const BlockKinds& kinds;
  Timekeeper& timekeeper;
  noc::Crossbar& crossbar;  ///< also of the fetches, by port(queue)
  BytePort& system;
  BytePort& sram;
  std::function<CounterPort&(uint8_t queue)> counters_of;
  CounterWatch watch;
};

/// Of an engine from outside (sim/engine).
struct EngineBlockPlace {
  const SocConfig& config;
  const EngineLibrary& library;
  std::vector<uint64_t> parameters;  ///< in the order of its engine.yaml
  const BlockKinds& kinds;
  uint8_t queue;  ///< its first one
  Timekeeper& timekeeper;
  BurstPort& fetch;
  BytePort& system;
  BytePort& sram;
  CounterPort& counters;
  CounterWatch watch;
  BankLoad& banks;
};

/// Of a block that is not the platform's, but the user's: testbench/example_block has the recipe.
struct UserPlace {
  const SocConfig& config;
  const BlockKinds& kinds;
  Timekeeper& timekeeper;
  BurstPort& port;  ///< into the crossbar, as PRESIL_MASTER_USER
  BytePort& system;
};
/// Makes it; empty: the tile has none.
using UserMaker = std::function<std::unique_ptr<Block>(const UserPlace& place)>;

std::unique_ptr<SyncBlock> model_of(const SyncPlace& place);
std::unique_ptr<Block> model_of(const DlaPlace& place);
std::unique_ptr<DspBlock> model_of(const DspPlace& place);
std::unique_ptr<Block> model_of(const DmaPlace& place);
std::unique_ptr<Block> model_of(const EngineBlockPlace& place);

/// Makes blocks in RTL, alone or in lock-step as the kinds of its argument say.
/// @throws Refusal where there is no RTL for this SoC
class RtlMaker {
 public:
  virtual ~RtlMaker() = default;
  virtual std::unique_ptr<SyncBlock> sync(const SyncPlace& place) const = 0;
  virtual std::unique_ptr<Block> dla(const DlaPlace& place) const = 0;
  virtual std::unique_ptr<Block> dma(const DmaPlace& place) const = 0;
  /// An engine from outside, in RTL or in lock-step.
  virtual std::unique_ptr<Block> outside(const EngineBlockPlace& place, BlockKind kind) const;
};

/// Of this program; nullptr where it is built without Verilator. Linked in, one way or the other.
const RtlMaker* rtl_maker();

}  // namespace presil::platform
