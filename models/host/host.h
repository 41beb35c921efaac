// The ARM as a bus master that native code drives from outside the kernel: register accesses, waits
// for interrupts and work, each with its time. Engines run on meanwhile.
//
// Timing: a register write takes effect cycles_register_write after the store, a read returns after
// cycles_register_read; a task takes cycles_of(task); an interrupt that ends a wait reaches the
// driver cycles_interrupt after the line has risen.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <tlm>

#include "models/common/timekeeper.h"
#include "models/host/host_timing.h"

namespace presil::host {

enum class WaitResult { kInterrupt, kTimedOut, kDead };

class Host : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Host> out;

  Host(sc_core::sc_module_name name, const SocConfig& config, Timekeeper& timekeeper);

  // ---- from outside the kernel; each returns at the cycle of its end
  /// @return all ones after a bus error
  uint32_t read32(uint64_t address);
  void write32(uint64_t address, uint32_t value);
  /// Until the interrupt line is high, at most `timeout` cycles (Timeline::kNever: for ever).
  /// kDead: nothing in the simulation can ever happen again.
  WaitResult wait(Cycle timeout);
  void spend(const Task& task);
  Cycle now() const { return m_timekeeper.cycle(); }
  Cycle period_ps() const { return m_timekeeper.period_ps(); }

  /// The tile's interrupt line, from inside the kernel.
  void set_interrupt(bool level);
  uint64_t bus_errors() const { return s_bus_errors; }

 private:
  void advance(Cycle cycles);
  tlm::tlm_response_status transport(tlm::tlm_command command, uint64_t address, uint32_t& data);

  HostConfig m_config;
  NocConfig m_noc;
  Timekeeper& m_timekeeper;
  bool m_interrupt = false;
  bool m_waiting = false;
  uint64_t s_bus_errors = 0;
};

}  // namespace presil::host
