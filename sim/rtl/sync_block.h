// Sync in RTL as a block of the SoC, alone or in lock-step with its model. In lock-step the RTL is
// the platform's sync; the model gets the same questions, signals and accesses, and at the end of
// every cycle in which either may have changed all that they show is compared: which waits are met,
// counters, last signallers, the interrupt line; and the answer of every access. What differs first
// stops the RTL.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "models/sync/sync_unit.h"
#include "sim/platform/blocks.h"
#include "sim/rtl/sync_rtl.h"

namespace presil::rtl {

class SyncBlock : public platform::SyncBlock, private SyncTap {
 public:
  SyncBlock(const platform::SyncPlace& place, std::unique_ptr<SyncTop> top);
  ~SyncBlock() override;
  tlm::tlm_target_socket<>& registers() override { return m_sync.registers.socket; }
  void on_interrupt(InterruptLine line) override { m_sync.on_interrupt(std::move(line)); }
  CounterPort& port(uint8_t queue) override;
  void watch(std::function<void(uint8_t id)> watcher) override { m_sync.watch(std::move(watcher)); }
  uint32_t counter(unsigned id) const { return m_sync.counter(id); }
  uint64_t ticks() const { return m_sync.ticks(); }
  const Divergence* divergence() const override { return m_divergence ? &*m_divergence : nullptr; }

 private:
  class Port;
  /// A question that the RTL has answered in this cycle.
  struct Answer {
    uint8_t queue, port, id;
    uint32_t value;
  };
  void ticked() override;
  void accessed(bool write, uint16_t offset, uint32_t value, bool error, Cycle now) override;
  void compare_later();
  void compare();
  void report(Divergence difference);
  void report(const char* stage, const std::string& model, const std::string& rtl);

  Timeline& m_timeline;
  SyncRtl m_sync;
  std::unique_ptr<sync::SyncUnit> m_model;  // of lock-step
  std::vector<std::unique_ptr<CounterPort>> m_ports;
  std::vector<Answer> m_answers;  // since the last comparison
  Cycle m_compare = -1;           // at the end of this cycle
  bool m_model_line = false;
  std::optional<Divergence> m_divergence;
};

}  // namespace presil::rtl
