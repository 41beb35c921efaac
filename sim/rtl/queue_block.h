// An engine with one queue in RTL as a block of the SoC, alone or in lock-step with its model. In
// lock-step the RTL is the platform's engine: what it writes, signals and answers is what everybody
// sees. The model runs beside it on the same commands, counters and answers of the memory, and is
// compared. What differs first stops the RTL, and with it the run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sim/platform/blocks.h"
#include "sim/rtl/cycle_events.h"
#include "sim/rtl/queue_reference.h"
#include "sim/rtl/queue_rtl.h"
#include "sim/rtl/queue_shadow.h"

namespace presil::rtl {

class QueueBlock : public platform::Block, private QueueTap {
 public:
  tlm::tlm_target_socket<>& registers() override { return m_rtl->registers.socket; }
  void on_interrupt(InterruptLine line) override { m_rtl->on_interrupt(std::move(line)); }
  void observe(CommandObserver observer) override { m_rtl->observe(std::move(observer)); }
  void observe_model(CommandObserver observer) override;
  void stuck() override;
  const Divergence* divergence() const override { return m_divergence ? &*m_divergence : nullptr; }
  uint64_t ticks() const { return m_rtl->ticks(); }

 protected:
  /// Which registers, by offset, are its queue's, and which show counters: those are compared as
  /// the causes of commands.
  struct Registers {
    uint32_t queue, counters, counters_end;
  };
  /// What is beside the RTL in lock-step.
  struct Model {
    RecordedBursts bursts;
    std::unique_ptr<QueueReference> reference;
    std::unique_ptr<QueueShadow> shadow;
  };
  using Report = std::function<void(const Divergence&)>;

  QueueBlock(std::string name, const Registers& registers)
      : m_name(std::move(name)), m_registers(registers) {}
  Report reporter() {
    return [this](const Divergence& divergence) { report(divergence); };
  }
  /// What a constructor ends with. @param model nullptr: the RTL is alone
  void begin(std::unique_ptr<QueueRtl> rtl, std::unique_ptr<Model> model);

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

  const std::string m_name;
  const Registers m_registers;
  std::unique_ptr<Model> m_model;
  CycleEvents<EngineEvent> m_cycle;  // the present one
  std::unique_ptr<QueueRtl> m_rtl;
  std::optional<Divergence> m_divergence;
  unsigned m_in_flight = 0;
  bool m_line = false, m_model_line = false;
};

}  // namespace presil::rtl
