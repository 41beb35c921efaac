// A core of the M profile: Armv8-M Mainline or Armv7E-M, as its Config says. Executes exactly, and
// says in which cycle. Knows nothing of SystemC: its owner gives it memory, interrupts and time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/cpu/cpu_blocks.h"
#include "models/cpu/cpu_hart.h"
#include "models/cpu/cpu_system.h"

namespace presil::cpu {

class Core {
 public:
  /// @throws Refusal where a parameter is out of its range
  explicit Core(const Config& config);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  Memory& memory() { return m_hart.memory; }
  const Memory& memory() const { return m_hart.memory; }
  Hart& hart() { return m_hart; }
  const Hart& hart() const { return m_hart; }
  System& system() { return m_system; }
  const System& system() const { return m_system; }

  /// Stack pointer and first instruction from the vector table at `vectors`.
  /// @throws Refusal where there is no memory, or the entry is no Thumb address
  void reset(uint32_t vectors);
  /// Goes on at `pc`, a program without a vector table.
  void jump(uint32_t pc) { m_hart.pc = pc, m_hart.it = 0; }
  /// Instructions in memory have changed.
  void forget_instructions();

  /// Runs until its time is `cycle` or later, or until it stops for another reason. A sleeping
  /// core's time passes.
  const Stop& run_until(uint64_t cycle) { return run(cycle, true); }
  /// The same, but a core that falls asleep stops at once, and its time stands.
  const Stop& run_awake(uint64_t cycle) { return run(cycle, false); }
  /// A device has let the access that it answers take so many cycles more.
  void add_wait(uint64_t cycles) { m_hart.cycle += cycles; }

  /// A line of an interrupt controller's input; from the next block of instructions on.
  /// @throws Refusal where there is no such line
  void set_interrupt(unsigned line, bool level);
  /// An event of another core's SEV.
  void send_event() { m_system.send_event(); }
  /// A SEV was executed since the last call.
  bool take_event();
  /// Nothing happens before this cycle without a call; it is not in the past. UINT64_MAX: never.
  uint64_t next_event() const;
  bool sleeping() const { return m_system.sleeping(); }

  uint64_t cycle() const { return m_hart.cycle; }
  uint64_t instructions() const { return m_hart.retired; }

  /// The observer of every instruction; nullptr: none, and it costs nothing. Changes no cycle.
  void set_tracer(Tracer* tracer) { m_blocks.set_tracer(tracer); }

  /// Semihosting (BKPT 0xab): text that the program writes. Without one, the text is lost.
  void set_console(std::function<void(const std::string&)> console) {
    m_console = std::move(console);
  }

 private:
  const Stop& run(uint64_t cycle, bool asleep);
  bool serve_semihosting();

  Hart m_hart;
  Blocks m_blocks;
  System m_system;
  std::function<void(const std::string&)> m_console;
};

}  // namespace presil::cpu
