// The clock of a Verilated block on its tile's timeline. Within one event it ticks the block ahead
// of the kernel, up to the cycle in which the block has something to say to the outside or
// another component acts; what it says is heard in its exact cycle. So cycles do not depend on how
// many it ticks at once. A block with nothing to do is not ticked.
//
// A cycle c is: inputs set and settled (settle), outputs heard (act, at kernel time c, phase
// kEngine), rising edge (edge). Between the first and the last it is not visible outside.
#pragma once

#include <cstdint>
#include <memory>

#include "models/common/timeline.h"
#include "sim/rtl/waveform.h"

namespace presil::rtl {

/// A block as its clock sees it.
class Clocked {
 public:
  virtual ~Clocked() = default;
  /// Sets the inputs of `cycle` and lets them settle; may be called again for the same cycle.
  /// @return whether an output concerns a component outside, in this very cycle
  virtual bool settle(Cycle cycle) = 0;
  /// The outputs are heard, and answers that the block needs in the same cycle settle.
  virtual void act(Cycle now) = 0;
  /// Inputs that have come after act(), still in this cycle, settle.
  virtual void settle_last() {}
  /// The rising edge that ends the cycle. @return whether the block was seen at work
  virtual bool edge() = 0;
  /// Asked after cycles without visible work.
  /// @return whether nothing happens in it until it is called from outside
  virtual bool idle() = 0;
};

class RtlClock {
 public:
  static constexpr unsigned kBatch = 4096;  ///< cycles in one event, at most
  static constexpr unsigned kQuiet = 64;    ///< without visible work: worth asking idle()
  /// Without visible work, and nothing but such blocks on the tile: no access will come.
  static constexpr unsigned kDead = 1 << 16;

  RtlClock(Timeline& timeline, Clocked& block, unsigned batch = kBatch);
  RtlClock(const RtlClock&) = delete;
  RtlClock& operator=(const RtlClock&) = delete;

  Cycle cycle() const { return m_cycle; }
  bool asleep() const { return m_asleep; }
  /// The block has failed: it is not ticked again.
  void halt() { m_halted = true; }
  bool halted() const { return m_halted; }
  uint64_t ticks() const { return s_ticks; }
  /// What it ticks from now on is written down.
  void record(std::unique_ptr<WaveRecorder> recorder) { m_recorder = std::move(recorder); }

  /// An input has changed: the block runs again.
  void wake();

  // ---- A register access at timeline.now(). An access acts before the events of that cycle:
  // of a block that runs, the cycle before is settled and its edge is still to come.
  /// Goes to that cycle; of a block that sleeps to the one `back` cycles ago.
  void enter(unsigned back);
  /// The rising edge of the present cycle.
  void step();
  /// Cycles of a block that sleeps, so far, were before the timeline's now.
  void rewind() { m_cycle = m_timeline.now(); }

 private:
  void schedule(Cycle when);
  void look_on(bool onlooker);
  void run();

  Timeline& m_timeline;
  Clocked& m_block;
  unsigned m_batch;
  std::unique_ptr<WaveRecorder> m_recorder;
  Cycle m_cycle = 0;        // the cycle whose edge is next
  bool m_edge_due = false;  // it has been acted on
  bool m_asleep = true, m_halted = false;
  bool m_onlooker = false;  // so its event is counted
  uint32_t m_life = 0;      // of the event that runs it
  unsigned m_quiet = 0;
  uint64_t s_ticks = 0;
};

}  // namespace presil::rtl
