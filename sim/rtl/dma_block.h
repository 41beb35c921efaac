// The DMA in RTL as a block of the SoC, alone or in lock-step with its model. In lock-step the RTL
// is the platform's DMA: what it writes, signals and answers is what everybody sees. The model runs
// beside it on the same commands, counters and answers of the memory, and is compared. What differs
// first stops the RTL, and with it the run.
#pragma once

#include <memory>
#include <optional>

#include "sim/platform/blocks.h"
#include "sim/rtl/cycle_events.h"
#include "sim/rtl/dma_reference.h"
#include "sim/rtl/dma_rtl.h"
#include "sim/rtl/dma_shadow.h"

namespace presil::rtl {

class DmaBlock : public platform::Block, private DmaTap {
 public:
  explicit DmaBlock(const platform::DmaPlace& place);
  tlm::tlm_target_socket<>& registers() override { return m_dma->registers.socket; }
  void on_interrupt(InterruptLine line) override { m_dma->on_interrupt(std::move(line)); }
  void observe(CommandObserver observer) override { m_dma->observe(std::move(observer)); }
  void observe_model(CommandObserver observer) override;
  void stuck() override;
  const Divergence* divergence() const override { return m_divergence ? &*m_divergence : nullptr; }

 private:
  void read_asked(bool fetch, uint8_t channel, const Burst& burst) override;
  void read_answered(bool fetch, uint8_t channel, const BurstTimes& times) override;
  void offered(uint8_t channel, const std::optional<FetchedCommand>& command, Cycle cycle) override;
  void begun(uint8_t channel, Cycle cycle) override;
  void dropped(uint8_t channel) override;
  void write_asked(uint8_t channel, const Burst& burst) override;
  void write_granted(uint8_t channel, bool error) override;
  void written(bool sram, uint8_t channel, uint64_t address, const uint8_t* bytes, uint16_t strobes,
               Cycle cycle) override;
  void ended(const CommandRecord& record) override;
  void interrupt(bool level, Cycle cycle) override;
  void signalled(uint8_t channel, uint8_t id, uint16_t add, Cycle cycle) override;
  void over() override { m_cycle.tell(); }
  void accessed(bool write, uint16_t offset, uint32_t value, bool error, Cycle cycle) override;

  void failed(uint8_t channel);
  void report(const Divergence& divergence);
  bool quiet() const { return m_in_flight == 0 && m_model->shadow.quiet(); }

  /// Of lock-step.
  struct Model {
    DmaReference reference;
    DmaShadow shadow;
    Model(const platform::DmaPlace& place, const std::function<void(const Divergence&)>& report);
  };
  std::unique_ptr<Model> m_model;
  CycleEvents<DmaEvent> m_cycle;  // the present one
  std::unique_ptr<DmaRtl> m_dma;
  std::optional<Divergence> m_divergence;
  std::array<unsigned, DmaRtl::kChannels> m_flights{};
  unsigned m_in_flight = 0;  // of all channels
  bool m_line = false, m_model_line = false;
};

}  // namespace presil::rtl
