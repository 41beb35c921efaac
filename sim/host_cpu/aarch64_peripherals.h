// What an AArch64 core finds beside it: the distributor of a GICv2 with the tile's line as its
// first shared interrupt, and a frame of the generic timer, whose counter runs with the core's
// clock. Interrupts are pending; they are not taken.
#pragma once

#include "sim/host_cpu/host_core.h"

namespace presil::host_cpu {

class Distributor : public CoreDevice {
 public:
  static constexpr uint32_t kBase = 0x08000000, kBytes = 0x1000;
  void set_line(bool level) { m_level = level; }
  Access load(uint32_t address, uint64_t cycle, uint32_t& value) override;
  Access store(uint32_t address, uint64_t cycle, uint32_t value) override;

 private:
  static constexpr uint32_t kEnable = 0x104, kPending = 0x204;  // of interrupts 32 to 63
  bool m_level = false;
  uint32_t m_enabled = 0;
};

class TimerFrame : public CoreDevice {
 public:
  static constexpr uint32_t kBase = 0x08010000, kBytes = 0x1000;
  /// The cycle in which it fires; HostCore::kNever: it is off or masked.
  uint64_t next() const { return (m_control & 3) == 1 ? m_compare : HostCore::kNever; }
  Access load(uint32_t address, uint64_t cycle, uint32_t& value) override;
  Access store(uint32_t address, uint64_t cycle, uint32_t value) override;

 private:
  static constexpr uint32_t kCountLow = 0x00, kCountHigh = 0x04, kCompareLow = 0x20,
                            kCompareHigh = 0x24, kControl = 0x2c;
  uint64_t m_compare = 0;
  uint32_t m_control = 0;  // 1: on, 2: masked
};

}  // namespace presil::host_cpu
