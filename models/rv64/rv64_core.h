// A RISC-V core of 64 bits that handles its traps: RV64IMFC Zicsr Zicntr Zifencei Zba Zbb, machine
// mode, CLINT. Its instructions are those of the DSP's scalar core (models/dsp), which end a run
// where they trap; this one enters the handler then. Knows nothing of SystemC: its owner gives it
// memory, the external interrupt and time.
#pragma once

#include <string>

#include "models/dsp/dsp_core.h"
#include "models/rv64/rv64_clint.h"
#include "models/rv64/rv64_config.h"
#include "models/rv64/rv64_machine.h"
#include "models/rv64/rv64_semihosting.h"

namespace presil::rv64 {

/// Why the core stopped.
enum class Reason : uint8_t {
  kTime,    ///< the cycle that was asked for has come
  kWait,    ///< WFI: nothing to do until an interrupt
  kExit,    ///< semihosting exit; Stop::status
  kLockup,  ///< the first instruction of the trap handler cannot be executed
  kLater    ///< a device is not ready: nothing of the access has been done
};

struct Stop {
  Reason reason = Reason::kTime;
  uint64_t pc = 0;
  uint32_t status = 0;
};

/// An exception as the core has met it, for reports.
struct Trap {
  bool taken = false;
  uint64_t cause = 0, pc = 0, value = 0;
  uint64_t ra = 0, sp = 0;  ///< x1, x2 then
};

class Core {
 public:
  explicit Core(const Config& config);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// The CLINT lies in it from the beginning. Accesses of Space::kDram take `far` more.
  dsp::Memory& memory() { return m_core.memory(); }
  dsp::Hart& hart() { return m_core.hart(); }
  const dsp::Hart& hart() const { return m_core.hart(); }
  const Machine& machine() const { return m_machine; }
  Machine& machine() { return m_machine; }
  /// The newest exception that has not been met in a handler of one.
  const Trap& last_trap() const { return m_trap; }
  /// Is told of every instruction, from the next run on; nullptr: none.
  void set_tracer(dsp::Tracer* tracer) { m_core.set_tracer(tracer); }
  /// Cycles that an access of Space::kDram takes besides the instruction's.
  void set_far(unsigned cycles);

  /// As after power-on; goes on at `pc`.
  void reset(uint64_t pc);
  /// Instructions in memory have changed.
  void forget_instructions() { m_core.forget_instructions(); }

  /// Runs until its time is `cycle` or later, or until it stops for another reason. A sleeping
  /// core's time passes.
  const Stop& run_until(uint64_t cycle) { return run(cycle, true); }
  /// The same, but a core that falls asleep stops at once, and its time stands.
  const Stop& run_awake(uint64_t cycle) { return run(cycle, false); }
  /// A device has let the access that it answers take so many cycles more.
  void add_wait(uint64_t cycles) { m_core.hart().cycle += cycles; }

  /// The external interrupt; from the next block of instructions on.
  void set_interrupt(bool level);
  /// Nothing happens before this cycle without a call. Clint::kNever: never.
  uint64_t next_event() const;
  bool sleeping() const { return m_sleeping; }

  uint64_t pc() const { return m_pc; }
  uint64_t cycle() const { return m_core.hart().cycle; }
  uint64_t instructions() const { return m_core.instructions() + m_served; }

  /// Semihosting: text that the program writes. Without one, the text is lost.
  void set_console(Console console) { m_console = std::move(console); }

 private:
  const Stop& run(uint64_t cycle, bool asleep);
  bool sleep_ends(uint64_t end, bool asleep);
  bool served(const dsp::Stop& stop);
  bool serve_request(uint64_t pc);
  bool take(const dsp::Stop& stop);
  bool ends(Reason reason, uint32_t status = 0);

  const Config m_config;
  dsp::Core m_core;
  Clint m_clint;
  Machine m_machine;
  Console m_console;
  uint64_t m_pc = 0;
  uint64_t m_served = 0;  // instructions that the DSP's core does not have
  bool m_sleeping = false;
  bool m_handles = false;  // an exception, until mret
  Trap m_trap;
  Stop m_stop;
};

}  // namespace presil::rv64
