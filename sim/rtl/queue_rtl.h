// An engine in RTL with one queue, as the platform sees it: its pins on the tile's ports, ticked on
// the timeline. What is the engine's own (its memory, what goes on inside, records) is added by a
// class of its own: dla_rtl, outside_rtl.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "models/common/queue_frontend.h"
#include "models/common/record.h"
#include "models/common/timekeeper.h"
#include "sim/platform/register_socket.h"
#include "sim/rtl/fetched_commands.h"
#include "sim/rtl/queue_pins.h"
#include "sim/rtl/queue_tap.h"
#include "sim/rtl/read_bridge.h"
#include "sim/rtl/rtl_clock.h"
#include "sim/rtl/rtl_options.h"
#include "sim/rtl/wait_link.h"

namespace presil::rtl {

class QueueRtl : protected Clocked {
 public:
  /// Answered in the access.
  platform::RegisterSocket registers;

  ~QueueRtl() override;
  void on_interrupt(InterruptLine line) { m_interrupt = std::move(line); }
  void observe(CommandObserver observer) { m_observer = std::move(observer); }
  uint64_t ticks() const { return m_clock.ticks(); }
  /// Observers of what it does.
  virtual void tap(QueueTap* tap) { m_tap = tap; }
  /// Called before anybody hears of it when an assertion of the RTL has failed, with the cycle.
  void on_failure(std::function<void(Cycle)> failure) { m_failure = std::move(failure); }
  /// It is not ticked again; register accesses answer an error.
  void halt() { m_clock.halt(); }
  /// An access at the timeline's now. @return false: error response
  bool access(bool write, uint16_t offset, uint32_t& value);

 protected:
  struct Shape {
    std::string block;  ///< its name in --block, and of its waveform
    uint8_t queue;      ///< enum presil_queue
    unsigned waits;     ///< ports of a command's waits
    unsigned pitch_bytes;
  };
  QueueRtl(const Shape& shape, Timekeeper& timekeeper, BurstPort& fetch, BytePort& system,
           CounterPort& counters, std::unique_ptr<QueueTop> top, const RtlOptions& options);
  /// The last thing that a constructor does: accesses so far have taken no time.
  void begin(const TraceWindow& trace);

  /// What happens in a cycle: once in each, when its outputs have settled.
  virtual void look_inside() = 0;
  /// A command ends in this cycle: its words are in memory with the return.
  virtual void end(Cycle now) = 0;
  /// The rising edge. @return whether the engine was seen at work
  virtual bool rise() = 0;
  /// An access of a register acts in this cycle.
  virtual void acts(bool /*write*/, uint16_t /*offset*/, uint32_t /*value*/) {}
  /// Inputs of the engine's own that follow from outputs of the same cycle.
  /// @return whether one has changed, so that the outputs settle again
  virtual bool answer() { return false; }

  QueueTop& top() { return *m_top; }
  Cycle cycle() const { return m_clock.cycle(); }
  void ended(const CommandRecord& record);
  uint8_t signaller_of(uint8_t counter) const;

  QueueTap* m_tap = nullptr;

 private:
  bool settle(Cycle cycle) override;
  void act(Cycle now) override;
  bool edge() override;

  /// Outputs of the settled cycle that concern others.
  bool heard_outside();
  void fetched(uint64_t address, const uint8_t* bytes, unsigned count);

  const Shape m_shape;
  Timekeeper& m_timekeeper;
  CounterPort& m_counters;
  std::unique_ptr<QueueTop> m_top;
  RtlClock m_clock;
  ReadBridge m_fetch;
  std::array<std::unique_ptr<WaitLink>, QueuePins::kMostWaits> m_waits;
  BarrierLink m_barrier;
  InterruptLine m_interrupt;
  CommandObserver m_observer;
  std::function<void(Cycle)> m_failure;

  bool m_line = false, m_asked_burst = false, m_signalled = false, m_ended = false;
  FetchedJob m_job;
  struct Counters {
    uint8_t base, count;
  };
  std::deque<Counters> m_jobs;  // of the jobs read last
};

}  // namespace presil::rtl
