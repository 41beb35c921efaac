#include "models/dla/dla.h"

#include <cstring>

#include "rtl/soc/address_map.h"

namespace presil::dla {

Dla::Dla(sc_core::sc_module_name name, uint8_t queue, const SocConfig& config,
         Timekeeper& timekeeper, BurstPort& fetch, BytePort& system, BytePort& sram,
         CounterPort& counters)
    : sc_module(name),
      registers("registers"),
      m_timekeeper(timekeeper),
      m_engine(queue, config, timekeeper.timeline(), fetch, system, sram, counters) {
  registers.register_b_transport(this, &Dla::transport);
}

void Dla::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  m_timekeeper.timeline();  // brings now() to the kernel's time
  if (payload.get_data_length() != 4 || payload.get_byte_enable_ptr() != nullptr ||
      payload.get_streaming_width() < 4) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const auto offset = static_cast<uint32_t>(payload.get_address() % PRESIL_TILE_BLOCK_BYTES);
  uint32_t value = 0;
  Access access = Access::kUnmapped;
  if (payload.is_read()) {
    access = m_engine.bank().read(offset, value);
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
  } else if (payload.is_write()) {
    std::memcpy(&value, payload.get_data_ptr(), sizeof value);
    access = m_engine.bank().write(offset, value);
  }
  payload.set_response_status(access == Access::kOk ? tlm::TLM_OK_RESPONSE
                                                    : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

}  // namespace presil::dla
