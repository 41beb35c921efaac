// A core as the host of a tile: its memory map, its time beside the SoC's, and
// the requests that its firmware serves. Knows nothing of loadables.
//
// Timing: the core's clock is the SoC's. The SoC stands while the core computes and follows at each
// register access, at the latest after kQuantum cycles; where the core sleeps, the SoC runs up to
// the cycle in which the interrupt line rises or the core's timer runs out. A register access takes
// what it takes the native host, besides the instruction; one of DRAM the isolated latency.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "models/common/ports.h"
#include "models/host/host.h"
#include "sim/bridge/host_recorder.h"
#include "sim/host_cpu/core_profile.h"
#include "sim/host_cpu/exchange.h"
#include "sim/host_cpu/host_core.h"

namespace presil::host_cpu {

/// Files that a core is made of.
struct Files {
  std::string kind;      ///< m33, m4, rv64: of messages
  std::string core;      ///< models/cpu/cores, models/rv64/cores
  std::string firmware;  ///< ELF
};

/// The program on the core has come to an end that is none: its sentence.
class ProgramFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class HostCpu : private CoreDevice {
 public:
  /// @throws Refusal: a file that cannot be read, or no firmware for such a core
  HostCpu(const Files& files, const SocConfig& config, host::Host& host, BytePort& memory,
          bridge::HostRecorder& recorder);
  ~HostCpu() override;

  /// The firmware serves a request, to its end. @return what it has answered, a presil_status
  /// @throws Failed where it does not come to its end
  uint32_t serve(presil_cpu_request request);
  /// Of the firmware's memory; valid after the first request has been taken.
  presil_cpu_exchange& exchange();
  // ---- a program of the user's own, in the place of the firmware: host_program.cpp
  struct Ended {
    bool in_time = false;
    uint32_t status = 0;  ///< its exit status
  };
  /// From the reset to its end. @param cycles that it may take
  /// @throws ProgramFailed where a fault has ended it
  Ended run_program(uint64_t cycles);
  /// What it has met and where, as a sentence; empty: no fault.
  std::string fault() const { return m_core->fault(); }
  const std::string& console() const { return m_console; }
  /// Bytes of its memory; nullptr: not whole in one of flash, RAM, DRAM.
  uint8_t* bytes(uint32_t address, uint32_t count);

  /// GDB at the core, from its next instruction on; lives longer than this.
  /// @throws Refusal where the core has no way to it
  void debug(debug::Debugger& debugger);

  /// From here on: where the core's time goes, job by job. A core that cannot tell of its
  /// instructions, or has a debugger, tells of its sleep.
  void profile(bool on);
  /// Of the last job; nullptr: none was asked for. Cycles of the core,
  const CoreProfile* profile() const { return m_profile ? &m_profile->profile : nullptr; }
  /// which are the SoC's plus this.
  int64_t soc_offset() const { return static_cast<int64_t>(m_begin); }

  /// Starts the firmware up to its first request.
  void start();

  /// The name of a kernel of the host that the firmware does not have; nullptr: it has it.
  const char* lacks(uint32_t kernel);

  uint32_t window_bytes() const { return m_window_bytes; }
  /// A byte of the window; the SoC's memory.
  uint8_t* window(uint32_t offset);
  uint64_t cycle() const { return m_core->cycle(); }
  uint64_t instructions() const { return m_core->instructions(); }
  /// Cycles that the core was not asleep.
  uint64_t busy_cycles() const { return m_core->cycle() - m_asleep; }
  /// What the core did between submission and the end of the wait of its last job.
  struct Work {
    uint64_t cycles = 0, busy_cycles = 0, instructions = 0;
  };
  Work driver_work() const { return m_driver; }
  /// Where the firmware last fell asleep, in words: pc and function.
  std::string place() const;
  /// The core as after power-on; start() follows.
  void reset();
  const std::string& kind() const { return m_files.kind; }

 private:
  static constexpr uint32_t kFlashBytes = 1u << 20;
  static constexpr Cycle kQuantum = 100000;

  class Tile : public CoreDevice {
   public:
    explicit Tile(HostCpu& cpu) : m_cpu(cpu) {}
    Access load(uint32_t address, uint64_t cycle, uint32_t& value) override;
    Access store(uint32_t address, uint64_t cycle, uint32_t value) override;
    bool peek(uint32_t address, bool write, uint32_t& value) override;

   private:
    HostCpu& m_cpu;
  };

  // The control block.
  Access load(uint32_t address, uint64_t cycle, uint32_t& value) override;
  Access store(uint32_t address, uint64_t cycle, uint32_t value) override;

  Cycle soc_cycle(uint64_t core_cycle) const { return m_begin + static_cast<Cycle>(core_cycle); }
  struct Profiler : public CoreObserver {
    explicit Profiler(const HostCore& core)
        : profile([&core](uint64_t address) { return core.function_at(address); }) {}
    void at(uint64_t pc, uint64_t cycle) override { profile.at(pc, cycle); }
    CoreProfile profile;
  };
  void begin_profile();

  void follow(uint64_t core_cycle);
  void ran(uint64_t core_cycle);
  void enter(uint32_t phase);
  void update_line();
  void sleep();
  void run_to_request();
  bool remap(uint32_t page);
  std::string where_of_fault() const;
  std::string overflow() const;
  [[noreturn]] void fail(const CoreStop& stop) const;

  const Files m_files;
  const SocConfig m_config;
  host::Host& m_host;
  BytePort& m_memory;
  bridge::HostRecorder& m_recorder;
  std::unique_ptr<HostCore> m_core;
  Tile m_tile;
  uint8_t* const m_ram;
  uint32_t m_window_bytes;
  Cycle m_begin = 0;  ///< of the SoC, in the core's cycle 0
  bool m_line = false, m_answered = false;
  bool m_woken = false;  ///< and no register has been read since
  uint32_t m_phase = PRESIL_CPU_INFERRED;
  Work m_driver;
  uint64_t m_asleep_at = 0;  ///< pc
  uint32_t m_request = 0, m_status = 0, m_exchange = 0, m_tag = 0;
  uint64_t m_asleep = 0;
  std::string m_console;
  uint8_t* m_flash = nullptr;
  debug::Debugger* m_debugger = nullptr;
  std::unique_ptr<CoreDebug> m_debug;
  std::unique_ptr<Profiler> m_profile;
};

}  // namespace presil::host_cpu
