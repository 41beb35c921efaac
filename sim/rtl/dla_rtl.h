// The DLA in RTL as the platform sees it: what dla::Dla offers, computed by rtl/dla.
#pragma once

#include <deque>
#include <memory>

#include "models/common/queue_frontend.h"
#include "models/common/record.h"
#include "models/common/timekeeper.h"
#include "sim/platform/register_socket.h"
#include "sim/rtl/dla_tap.h"
#include "sim/rtl/dla_top.h"
#include "sim/rtl/read_bridge.h"
#include "sim/rtl/rtl_clock.h"
#include "sim/rtl/rtl_options.h"
#include "sim/rtl/wait_link.h"

namespace presil::rtl {

class DlaRtl : private Clocked {
 public:
  /// Answered in the access.
  platform::RegisterSocket registers;

  /// As dla::Dla.
  /// @throws Refusal where the block is not built with the parameters of `config`
  DlaRtl(const char* name, const SocConfig& config, Timekeeper& timekeeper, BurstPort& fetch,
         BytePort& system, BytePort& sram, CounterPort& counters, const RtlOptions& options);
  ~DlaRtl() override;

  void on_interrupt(InterruptLine line) { m_interrupt = std::move(line); }
  void observe(CommandObserver observer) { m_observer = std::move(observer); }
  uint64_t ticks() const { return m_clock.ticks(); }
  /// Observers of what it does.
  void tap(DlaTap* tap);
  /// Called before anybody hears of it when an assertion of the RTL has failed, with the cycle.
  void on_failure(std::function<void(Cycle)> failure) { m_failure = std::move(failure); }
  /// It is not ticked again; register accesses answer an error.
  void halt() { m_clock.halt(); }
  /// An access at the timeline's now. @return false: error response
  bool access(bool write, uint16_t offset, uint32_t& value);

 private:
  bool settle(Cycle cycle) override;
  void act(Cycle now) override;
  bool edge() override;
  bool idle() override;

  /// Outputs of the settled cycle that concern others.
  bool heard_outside();
  void check_built_as(const SocConfig& config);
  void look_inside();
  void fetched(uint64_t address, const uint8_t* bytes, unsigned count);
  uint8_t signaller_of(uint8_t counter) const;
  void end(Cycle now);

  /// A command that the engine has seen and that has not ended.
  struct InFlight {
    uint32_t index;
    Cycle offered, loader = -1, sequencer = -1;
  };

  Timekeeper& m_timekeeper;
  CounterPort& m_counters;
  std::unique_ptr<DlaTop> m_top;
  RtlClock m_clock;
  ReadBridge m_fetch;
  std::array<std::unique_ptr<WaitLink>, DlaPins::kWaits> m_waits;
  BarrierLink m_barrier;
  InterruptLine m_interrupt;
  CommandObserver m_observer;
  DlaTap* m_tap = nullptr;
  std::function<void(Cycle)> m_failure;

  bool m_line = false, m_asked_burst = false, m_signalled = false, m_ended = false;
  std::deque<InFlight> m_flights;  // oldest first
  unsigned m_front_slot = 0;       // of m_flights.front(), as the engine numbers them
  Cycle m_last_end = -1;
  DlaCauses m_causes;     // in the cycle of the last end
  Attribution m_cleared;  // what the block's counters had when they were cleared
  SramWords m_words;
  struct Counters {
    uint8_t base, count;
  };
  std::deque<Counters> m_jobs;  // of the jobs read last
};

}  // namespace presil::rtl
