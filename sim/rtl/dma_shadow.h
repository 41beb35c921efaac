// The model of the DMA as the shadow of its RTL: the unit of models/dma without values, connected
// to a fabric that gives it what the RTL got. Its bursts are those of the RTL, answered with the
// same times; it sees the same counters in the same cycles, and its own signals and interrupts go
// nowhere but here, where they are compared.
#pragma once

#include <memory>
#include <vector>

#include "models/dma/dma_unit.h"
#include "sim/rtl/burst_match.h"
#include "sim/rtl/queue_events.h"
#include "sim/rtl/shadow_ports.h"

namespace presil::rtl {

class DmaShadow {
 public:
  using Report = std::function<void(const Divergence&)>;

  /// @param counters_of the links of each channel to sync, by queue number; only looked at
  /// @param watch is given what to call when a counter changes
  DmaShadow(const SocConfig& config, Cycle period_ps, Timeline& timeline, BytePort& system,
            const std::function<CounterPort&(uint8_t queue)>& counters_of,
            const std::function<void(std::function<void(uint8_t id)>)>& watch, Report report);
  ~DmaShadow();

  dma::DmaUnit& unit() { return *m_unit; }
  void observe(const CommandObserver& observer);
  /// No command of it is on its way.
  bool quiet() const;

  // ---- what the RTL does
  void read_asked(bool fetch, uint8_t channel, const Burst& burst);
  void read_answered(bool fetch, uint8_t channel, const BurstTimes& times);
  void write_asked(uint8_t channel, const Burst& burst);
  void write_granted(uint8_t channel, bool error);
  void ended(const CommandRecord& record);
  void signalled(uint8_t channel, uint8_t id, uint16_t add, Cycle cycle);
  void dropped(uint8_t channel);
  /// The queue's register CONTROL is written, before the model's is.
  void controlled(uint8_t channel, uint32_t value);
  /// Nothing goes on: tells the command that the model has ended and the RTL has not.
  void report_unmatched();

 private:
  class Fabric;
  struct Channel;

  std::vector<std::unique_ptr<Channel>> m_channels;
  std::unique_ptr<Fabric> m_fabric;
  NoMemory m_sram;
  std::unique_ptr<dma::DmaUnit> m_unit;
};

}  // namespace presil::rtl
