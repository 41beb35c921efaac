// The core-local interruptor: software interrupt, timer, time. Registers as SiFive's CLINT has
// them, for one hart: msip 0x0000, mtimecmp 0x4000, mtime 0xbff8. mtime counts the core's cycles.
#pragma once

#include "models/dsp/dsp_hart.h"

namespace presil::rv64 {

class Clint : public dsp::Device {
 public:
  static constexpr uint64_t kBase = 0x02000000, kBytes = 0xc000;
  static constexpr uint64_t kNever = ~uint64_t{0};

  /// A write that may change what is pending ends the hart's block.
  explicit Clint(dsp::Hart& hart) : m_hart(hart) {}
  void reset();

  uint64_t time(uint64_t cycle) const { return cycle + m_ahead; }
  bool software() const { return m_software; }
  bool timer(uint64_t cycle) const { return time(cycle) >= m_compare; }
  /// The cycle from which on the timer is pending; kNever: beyond 64 bits.
  uint64_t timer_cycle() const;

  Answer load(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t& value) override;
  Answer store(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t value) override;

 private:
  static constexpr uint64_t kSoftware = 0, kCompare = 0x4000, kTime = 0xbff8;

  dsp::Hart& m_hart;
  bool m_software = false;
  uint64_t m_compare = kNever, m_ahead = 0;
};

}  // namespace presil::rv64
