// The register port of a Verilated block, AXI4-Lite, one access at a time.
#pragma once

#include <cstdint>

namespace presil::rtl {

struct LitePins {
  bool write = false, write_data = false, read = false;  ///< AW, W, AR are valid
  uint16_t address = 0;
  uint32_t data = 0;
  bool write_ready = false, data_ready = false, read_ready = false;  ///< from the block

  void ask(bool writes, uint16_t offset, uint32_t value) {
    write = write_data = writes;
    read = !writes;
    address = offset;
    data = value;
  }
  /// What is asked is taken at once.
  bool taken() const { return write ? write_ready && data_ready : read_ready; }
  void rest() { write = write_data = read = false; }
};

/// What the port says: B or R, valid for one cycle.
struct LiteAnswer {
  bool valid = false, error = false;
  uint32_t data = 0;  ///< of a read
};

/// A register access in the cycle in which it acts; the bus says the same later.
struct RegisterAccess {
  bool write = false, read = false, error = false;
  uint32_t data = 0;
};

}  // namespace presil::rtl
