// Lock-step of time of the DLA: its engine of `models`, in the shadow of its RTL.
#pragma once

#include "models/dla/dla_engine.h"
#include "sim/rtl/queue_shadow.h"

namespace presil::rtl {

class DlaShadow : public QueueShadow {
 public:
  /// As QueueShadow.
  DlaShadow(const SocConfig& config, Timeline& timeline, BurstPort& fetch, BytePort& system,
            CounterPort& counters,
            const std::function<void(std::function<void(uint8_t id)>)>& watch,
            std::function<void(const Divergence&)> report);

  RegisterBank& bank() override { return m_engine.bank(); }
  queue::State state() override { return m_engine.frontend().state(); }
  void on_interrupt(InterruptLine line) override { m_engine.on_interrupt(std::move(line)); }

 private:
  NoMemory m_sram;
  dla::Engine m_engine;
};

}  // namespace presil::rtl
