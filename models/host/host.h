// The ARM as a native host: the driver is code of this process, outside the SystemC kernel; this
// module is its bus, its interrupt and its clock. read32, write32, wait and spend let time pass
// (Timekeeper) by what the access or the work takes; between them no simulated time passes.
//
// Timing: write32: cycles_register_write, the effect at their end. read32: cycles_register_write
// there, the rest of cycles_register_read back. An interrupt ends wait() at its exact cycle;
// cycles_interrupt later the driver runs again. spend(): models/host/host_timing.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <systemc>
#include <vector>

#include "models/common/queue_frontend.h"
#include "models/common/timekeeper.h"
#include "models/host/host_timing.h"
#include "rtl/host/host_bank.h"

namespace presil::host {

/// Lines into the host: a bit of irq_pending each. Kinds of engines that the register has no bit
/// for share the last one.
enum class Source : uint8_t { kSync, kUser, kFirstEngine, kLastEngine = 31 };
constexpr Source source_of_engine(unsigned kind) {
  constexpr auto kFirst = static_cast<unsigned>(Source::kFirstEngine);
  constexpr auto kLast = static_cast<unsigned>(Source::kLastEngine);
  return static_cast<Source>(kFirst + kind < kLast ? kFirst + kind : kLast);
}

enum class WaitResult : uint8_t {
  kInterrupt,
  kTimedOut,
  kDead  ///< nothing in the simulated world can ever happen again
};

class Host : public sc_core::sc_module {
 public:
  Host(sc_core::sc_module_name name, const SocConfig& config, Timekeeper& keeper,
       unsigned tile = 0);

  tlm_utils::simple_initiator_socket<Host> bus;
  /// The tile's host registers, offsets from 0.
  tlm_utils::simple_target_socket<Host> registers;

  /// For a block's on_interrupt; of several at one source each has a line of its own.
  InterruptLine line(Source source);
  /// The tile has this many engines of this kind: registers engines, instances.
  void add_engines(unsigned kind, unsigned instances);
  Bank& bank() { return m_bank; }

  // ---- what goes wrong on the way
  /// Lines (bits of irq_pending) that do not reach the host although their register shows them, and
  /// lines that are up although no block has raised them.
  void disturb_lines(uint32_t lost, uint32_t spurious);
  /// Given every register write; true: it is lost. Empty: none.
  void lose_writes(std::function<bool(uint64_t address, uint32_t value)> lost) {
    m_lost_write = std::move(lost);
  }
  /// The registers are as after power-on.
  void reset();

  // ---- for the driver's port; never from a SystemC process
  uint32_t read32(uint64_t address);
  void write32(uint64_t address, uint32_t value);
  /// The same for a debugger: no time passes. @return false: nothing is there
  bool peek32(uint64_t address, bool write, uint32_t& value);
  /// Sleeps until irq_pending AND irq_enable is not 0. Does not sleep if it is already so.
  /// @param timeout cycles; Timeline::kNever waits as long as anything can happen
  WaitResult wait(Cycle timeout);
  /// The same up to cycle `deadline`, for a core that executes its interrupt's latency itself.
  WaitResult sleep(Cycle deadline);
  bool interrupted() const;
  void spend(const Task& task);
  void advance(Cycle cycles);

  const HostConfig& costs() const { return m_config.host; }
  Cycle now() const { return m_keeper.cycle(); }
  Cycle period_ps() const { return m_keeper.period_ps(); }
  /// Accesses that nothing answered: a read of them gives all ones.
  uint64_t bus_errors() const { return s_bus_errors; }
  uint64_t last_bus_error() const { return m_bus_error_address; }

 private:
  uint32_t access(uint64_t address, bool write, uint32_t value);
  void set_line(size_t line, bool level);
  void show_lines();
  void look();
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  const SocConfig m_config;
  Timekeeper& m_keeper;
  Bank m_bank;
  struct Line {
    Source source;
    bool level;
  };
  std::vector<Line> m_lines;
  uint32_t m_lost_lines = 0, m_spurious_lines = 0;
  std::function<bool(uint64_t address, uint32_t value)> m_lost_write;
  bool m_sleeping = false;
  unsigned m_sleeper = 0;  // of the timekeeper's callers
  uint64_t s_bus_errors = 0, m_bus_error_address = 0;
};

}  // namespace presil::host
