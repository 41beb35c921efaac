// The register port of a Verilated block, AXI4-Lite, one access at a time.
#pragma once

#include <cstdint>

namespace presil::rtl {

struct LitePins {
  bool write = false, read = false;  ///< AW and W, or AR, are valid
  uint16_t address = 0;
  uint32_t data = 0;
  bool write_ready = false, read_ready = false;  ///< from the block
};

/// A register access in the cycle in which it acts; the bus says the same later.
struct RegisterAccess {
  bool write = false, read = false, error = false;
  uint32_t data = 0;
};

}  // namespace presil::rtl
