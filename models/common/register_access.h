// A TLM transaction on a register bank: aligned 32-bit words, anything else is an error response.
#pragma once

#include <cstring>
#include <tlm>

#include "rtl/common/register_bank.h"

namespace presil {

inline void access_registers(RegisterBank& bank, tlm::tlm_generic_payload& payload) {
  if (payload.get_data_length() != 4 || payload.get_byte_enable_ptr() != nullptr ||
      payload.get_streaming_width() < 4) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const uint32_t offset = static_cast<uint32_t>(payload.get_address());
  Access access = Access::kUnmapped;
  uint32_t value = 0;
  if (payload.is_write()) {
    std::memcpy(&value, payload.get_data_ptr(), 4);
    access = bank.write(offset, value);
  } else if (payload.is_read()) {
    access = bank.read(offset, value);
    std::memcpy(payload.get_data_ptr(), &value, 4);
  }
  payload.set_response_status(access == Access::kOk         ? tlm::TLM_OK_RESPONSE
                              : access == Access::kUnmapped ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                            : tlm::TLM_COMMAND_ERROR_RESPONSE);
}

}  // namespace presil
