// Machine mode: its registers, which interrupt is next, and what entering and leaving a handler
// does to them. One hart, no other mode, no physical memory protection.
#pragma once

#include "models/dsp/dsp_hart.h"
#include "models/rv64/rv64_clint.h"

namespace presil::rv64 {

class Machine : public dsp::OwnRegisters {
 public:
  /// Interrupts: bits of mip and mie, and their codes in mcause.
  static constexpr unsigned kSoftware = 3, kTimer = 7, kExternal = 11;

  explicit Machine(const Clint& clint) : m_clint(clint) {}
  void reset();

  void set_external(bool level) { m_external = level; }
  /// mip in this cycle.
  uint64_t pending(uint64_t cycle) const;
  /// An interrupt that is enabled in mie is pending: ends WFI whatever mstatus.MIE says.
  bool wakes(uint64_t cycle) const { return (pending(cycle) & m_enabled) != 0; }
  /// The interrupt to take in this cycle; 0: none.
  unsigned interrupt(uint64_t cycle) const;
  /// The cycle in which the timer will wake or interrupt; Clint::kNever: it will not.
  uint64_t timer_cycle(uint64_t cycle) const;

  /// @param pc of the instruction that is executed again after mret @return where the handler is
  uint64_t enter(uint64_t cause, bool is_interrupt, uint64_t pc, uint64_t value);
  /// mret. @return where the program goes on
  uint64_t leave();
  uint64_t handler() const { return m_vector & ~uint64_t{3}; }
  uint64_t cause() const { return m_cause; }
  uint64_t scratch() const { return m_scratch; }

  Answer read(unsigned number, uint64_t cycle, uint64_t& value) override;
  Answer write(unsigned number, uint64_t cycle, uint64_t value) override;

 private:
  const Clint& m_clint;
  bool m_external = false;
  bool m_on = false, m_before = false;  // mstatus.MIE, MPIE
  uint64_t m_enabled = 0, m_vector = 0, m_scratch = 0, m_pc = 0, m_cause = 0, m_value = 0;
};

}  // namespace presil::rv64
