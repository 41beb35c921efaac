// The DLA in RTL as a block of the SoC, alone or in lock-step with its model. In lock-step the RTL
// is the platform's DLA: what it writes, signals and answers is what everybody sees. The model runs
// beside it on the same commands, counters and answers of the memory, and is compared. What differs
// first stops the RTL, and with it the run.
#pragma once

#include <memory>
#include <optional>

#include "sim/platform/blocks.h"
#include "sim/rtl/cycle_events.h"
#include "sim/rtl/dla_reference.h"
#include "sim/rtl/dla_rtl.h"
#include "sim/rtl/dla_shadow.h"

namespace presil::rtl {

class DlaBlock : public platform::Block, private DlaTap {
 public:
  explicit DlaBlock(const platform::DlaPlace& place);
  tlm::tlm_target_socket<>& registers() override { return m_dla->registers.socket; }
  void on_interrupt(InterruptLine line) override { m_dla->on_interrupt(std::move(line)); }
  void observe(CommandObserver observer) override { m_dla->observe(std::move(observer)); }
  void observe_model(CommandObserver observer) override;
  void stuck() override;
  const Divergence* divergence() const override { return m_divergence ? &*m_divergence : nullptr; }

 private:
  void fetched(uint64_t address, const uint8_t* bytes, unsigned count) override;
  void dropped() override;
  void offered(uint32_t index, Cycle cycle) override;
  void started(unsigned place) override;
  void written(uint32_t address, const uint8_t* bytes, Cycle cycle) override;
  void ended(const CommandRecord& record) override;
  void interrupt(bool level, Cycle cycle) override;
  void signalled(uint8_t id, uint16_t add, Cycle cycle) override;
  void over() override { m_cycle.tell(); }
  void accessed(bool write, uint16_t offset, uint32_t value, bool error, Cycle cycle) override;

  void report(const Divergence& divergence);
  bool quiet();

  /// Of lock-step.
  struct Model {
    RecordedBursts bursts;
    DlaReference reference;
    DlaShadow shadow;
    Model(const platform::DlaPlace& place, const std::function<void(const Divergence&)>& report);
  };
  std::unique_ptr<Model> m_model;
  CycleEvents<DlaEvent> m_cycle;  // the present one
  std::unique_ptr<DlaRtl> m_dla;
  std::optional<Divergence> m_divergence;
  unsigned m_in_flight = 0;
  bool m_line = false, m_model_line = false;
};

}  // namespace presil::rtl
