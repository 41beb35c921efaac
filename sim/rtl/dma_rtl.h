// The DMA in RTL as the platform sees it: what dma::DmaUnit does, computed by rtl/dma.
#pragma once

#include <deque>
#include <memory>

#include "models/common/queue_frontend.h"
#include "models/common/record.h"
#include "models/common/timekeeper.h"
#include "rtl/dma/dma_command.h"
#include "sim/platform/register_socket.h"
#include "sim/rtl/dma_tap.h"
#include "sim/rtl/dma_top.h"
#include "sim/rtl/memory_causes.h"
#include "sim/rtl/rtl_clock.h"
#include "sim/rtl/rtl_options.h"
#include "sim/rtl/wait_link.h"
#include "sim/rtl/write_bridge.h"

namespace presil::rtl {

class DmaRtl : private Clocked {
 public:
  static constexpr unsigned kChannels = DmaPins::kChannels;

  /// Answered in the access.
  platform::RegisterSocket registers;

  /// @throws Refusal where the block is not built with the parameters of `place.config`
  DmaRtl(const char* name, const platform::DmaPlace& place, const RtlOptions& options);
  ~DmaRtl() override;

  void on_interrupt(InterruptLine line) { m_interrupt = std::move(line); }
  void observe(CommandObserver observer) { m_observer = std::move(observer); }
  uint64_t ticks() const { return m_clock.ticks(); }
  /// Observers of what it does.
  void tap(DmaTap* tap);
  /// Called before anybody hears of it when an assertion of the RTL has failed, with the cycle.
  void on_failure(std::function<void(Cycle)> failure) { m_failure = std::move(failure); }
  /// It is not ticked again; register accesses answer an error.
  void halt() { m_clock.halt(); }
  /// An access at the timeline's now. @return false: error response
  bool access(bool write, uint16_t offset, uint32_t& value);

 private:
  /// A command that has begun and has not ended.
  struct InFlight {
    uint32_t index = 0, job = 0;
    Cycle offered = 0, start = 0;
    uint64_t sram_read = 0, sram_written = 0, read = 0, written = 0;  // bytes
  };
  struct Channel {
    CounterPort* counters = nullptr;
    std::array<std::unique_ptr<WaitLink>, 2> waits;
    std::unique_ptr<BarrierLink> barrier;
    FetchedCommands fetched{dma::Command::kPitch};
    bool offers = false;
    InFlight offer;
    uint8_t sync_base = 0;           // of its job
    std::deque<InFlight> flights;    // oldest first
    Cycle last_end = -1, since = 0;  // since: the cause has been there
    Cause cause = Cause::kCount;     // kCount: no command
    MemoryCauses memory;
    std::vector<Segment> line;  // from the last end on
  };

  bool settle(Cycle cycle) override;
  void act(Cycle now) override;
  bool edge() override;
  bool idle() override { return m_top->rests(); }

  void show_answers(Cycle cycle);
  bool heard_outside();
  bool new_to_act() const;
  void ask_read(bool fetch, const AddressPins& pins, Cycle now);
  void answered(bool fetch, uint8_t channel, const BurstTimes& times);
  void check_built_as(const SocConfig& config);
  void see_start(uint16_t offset, uint32_t value);
  void see_offers();
  void look_inside();
  void granted(uint8_t channel, bool error);
  void end(uint8_t channel, Cycle now);

  Timekeeper& m_timekeeper;
  noc::Crossbar& m_crossbar;
  std::unique_ptr<DmaTop> m_top;
  RtlClock m_clock;
  ReadChannels m_fetches, m_reads;
  WriteBridge m_writes;
  std::array<Channel, kChannels> m_channels;
  InterruptLine m_interrupt;
  CommandObserver m_observer;
  DmaTap* m_tap = nullptr;
  std::function<void(Cycle)> m_failure;

  bool m_line = false;
  struct Acted {  // in the present cycle
    bool fetch = false, read = false, w_last = false;
    uint32_t done = 0, signal = 0;
  } m_acted;
  uint32_t m_causes = 0;  // of the cycle before
};

}  // namespace presil::rtl
