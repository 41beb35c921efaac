// The DLA in RTL as the platform sees it: what dla::Dla offers, computed by rtl/dla.
#pragma once

#include <deque>

#include "sim/rtl/dla_top.h"
#include "sim/rtl/queue_rtl.h"

namespace presil::rtl {

class DlaRtl : public QueueRtl {
 public:
  /// As dla::Dla.
  /// @throws Refusal where the block is not built with the parameters of `config`
  DlaRtl(const SocConfig& config, Timekeeper& timekeeper, BurstPort& fetch, BytePort& system,
         BytePort& sram, CounterPort& counters, const RtlOptions& options);
  void tap(QueueTap* tap) override;

 private:
  bool rise() override { return m_top.edge(); }
  bool idle() override;
  void look_inside() override;
  void end(Cycle now) override;
  void acts(bool write, uint16_t offset, uint32_t value) override;
  void check_built_as(const SocConfig& config);

  /// A command that the engine has seen and that has not ended.
  struct InFlight {
    uint32_t index;
    Cycle offered, loader = -1, sequencer = -1;
  };

  DlaTop& m_top;
  std::deque<InFlight> m_flights;  // oldest first
  unsigned m_front_slot = 0;       // of m_flights.front(), as the engine numbers them
  Cycle m_last_end = -1;
  DlaCauses m_causes;     // in the cycle of the last end
  Attribution m_cleared;  // what the block's counters had when they were cleared
  SramWords m_words;
};

}  // namespace presil::rtl
