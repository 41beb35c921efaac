// The register port of a block that is no SystemC module: 32-bit accesses by offset.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <functional>
#include <systemc>
#include <tlm>
#include <utility>

#include "rtl/soc/address_map.h"

namespace presil::platform {

class RegisterSocket : public sc_core::sc_module {
 public:
  /// An access by the host. @return false: error response
  using Access = std::function<bool(bool write, uint16_t offset, uint32_t& value)>;

  RegisterSocket(sc_core::sc_module_name name, Access access)
      : sc_module(name), socket("socket"), m_access(std::move(access)) {
    socket.register_b_transport(this, &RegisterSocket::transport);
  }

  tlm_utils::simple_target_socket<RegisterSocket> socket;

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    if (payload.get_data_length() != 4 || payload.get_byte_enable_ptr() != nullptr ||
        payload.get_streaming_width() < 4) {
      payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
      return;
    }
    uint32_t value = 0;
    if (payload.is_write()) std::memcpy(&value, payload.get_data_ptr(), sizeof value);
    const auto offset = static_cast<uint16_t>(payload.get_address() % PRESIL_TILE_BLOCK_BYTES);
    const bool done = m_access(payload.is_write(), offset, value);
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &value, sizeof value);
    payload.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }

  Access m_access;
};

}  // namespace presil::platform
