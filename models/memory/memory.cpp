#include "models/memory/memory.h"

#include <cstring>

namespace presil::memory {

Memory::Memory(sc_core::sc_module_name name, const SocConfig& config, Timekeeper& keeper,
               unsigned tile, SharedDram* dram)
    : sc_module(name),
      window("window"),
      m_config(config),
      m_keeper(keeper),
      m_sram(config.sram),
      m_own_dram(dram == nullptr ? std::make_unique<SharedDram>(config.dram, keeper) : nullptr),
      m_dram(dram == nullptr ? *m_own_dram : *dram),
      m_system(m_sram, m_dram.bytes, tile),
      m_crossbar(m_config, keeper.period_ps(), keeper.timeline(), m_system, &m_dram.ports) {
  window.register_b_transport(this, &Memory::access_memory);
  window.register_transport_dbg(this, &Memory::peek);
}

void Memory::access_memory(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return;
  }
  const Slave slave = m_system.slave_of(payload.get_address(), payload.get_data_length());
  if (peek(payload) != payload.get_data_length()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const Cycle way = m_config.noc.cycles_request + m_config.noc.cycles_response;
  const Cycle latency =
      slave == Slave::kSram ? noc::cycles_sram_window
      : payload.is_write()
          ? 0
          : (m_config.dram.read_latency_ps + m_keeper.period_ps() - 1) / m_keeper.period_ps();
  delay += m_keeper.time_of(way + latency);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned Memory::peek(tlm::tlm_generic_payload& payload) {
  const unsigned length = payload.get_data_length();
  uint8_t* bytes = m_system.bytes_at(payload.get_address(), length);
  if (bytes == nullptr) return 0;
  if (payload.is_write()) {
    std::memcpy(bytes, payload.get_data_ptr(), length);
  } else {
    std::memcpy(payload.get_data_ptr(), bytes, length);
  }
  return length;
}

}  // namespace presil::memory
