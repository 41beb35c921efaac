// What a memory answers on AXI: R and B.
#pragma once

#include <cstdint>

namespace presil::rtl {

/// @param there the address is mapped; no: DECERR
/// @param error the burst has failed: SLVERR
constexpr uint8_t axi_response(bool there, bool error) {
  constexpr uint8_t kOkay = 0, kSlaveError = 2, kDecodeError = 3;
  return !there ? kDecodeError : error ? kSlaveError : kOkay;
}

}  // namespace presil::rtl
