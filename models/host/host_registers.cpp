#include "models/host/host_registers.h"

namespace presil::host {

HostRegisters::HostRegisters(const SocConfig& config, const std::string& stamp, Timeline& timeline)
    : m_timeline(timeline) {
  m_bank.set_clock_khz(config.clock_mhz * 1000);
  m_bank.set_sram_bytes(config.sram.bytes);
  m_bank.set_dram_bytes(config.dram.bytes);
  for (unsigned i = 0; 8 * i + 8 <= stamp.size() && i < PRESIL_HOST_CONFIG_HASH_COUNT; ++i) {
    uint32_t word = 0;  // first byte in bits 7:0
    for (unsigned b = 0; b < 4; ++b) {
      word |= static_cast<uint32_t>(std::stoul(stamp.substr(8 * i + 2 * b, 2), nullptr, 16))
              << 8 * b;
    }
    m_bank.set(PRESIL_HOST_REG_CONFIG_HASH(i), word);
  }
  const auto show_time = [this] {
    m_bank.set_time_cycles(static_cast<uint64_t>(m_timeline.now()));
  };
  m_bank.on_read(PRESIL_HOST_REG_TIME, show_time);
  m_bank.on_read(PRESIL_HOST_REG_TIME_HI, show_time);
  m_bank.on_write(PRESIL_HOST_REG_IRQ_ENABLE, [this](uint32_t, uint32_t) { update(); });
}

void HostRegisters::set_dla_line(bool level) {
  m_bank.set_irq_pending_dla(level);
  update();
}

void HostRegisters::set_dma_line(bool level) {
  m_bank.set_irq_pending_dma(level);
  update();
}

void HostRegisters::set_sync_line(bool level) {
  m_bank.set_irq_pending_sync(level);
  update();
}

void HostRegisters::update() {
  const bool level =
      (m_bank.get(PRESIL_HOST_REG_IRQ_PENDING) & m_bank.get(PRESIL_HOST_REG_IRQ_ENABLE)) != 0;
  if (level == m_level) return;
  m_level = level;
  if (m_line) m_line(level);
}

}  // namespace presil::host
