// What the simulation and the process of an AArch64 core share: a page of words, then the bytes of
// its memory. Exactly one of the two runs at any time; the other waits for its turn.
#pragma once

#include <atomic>
#include <cstdint>

#include "driver/port/remote/channel.h"

namespace presil::aarch64 {

enum class Event : uint32_t {
  kTime,   ///< the core's time has reached `limit`
  kWait,   ///< WFI
  kLoad,   ///< of a device, at `address`; answered by `value`, or `refused`
  kStore,  ///< `value`
  kText,   ///< semihosting: `text`
  kExit,   ///< `value`: status
  kBreakpoint,
  kDebug,  ///< a debugger is asked, before the instruction at `pc`
  kStuck,  ///< a fault before its vectors are set, or in its handler
  kWrong   ///< the core cannot be made: `text`
};

struct Region {
  uint64_t base = 0, bytes = 0;
  uint64_t offset = 0;  ///< of its bytes in the shared memory; a device has none
  uint32_t writes = 0, executes = 0, device = 0;
};

/// A fault as the core has met it: class of ESR_EL1, registers then.
struct Fault {
  uint32_t met = 0, exception_class = 0, unaligned = 0;
  uint64_t pc = 0, lr = 0, sp = 0, address = 0;
};

/// A debugger's part: what is to stop the core, and its registers while it stands.
struct Debug {
  static constexpr unsigned kPoints = 32, kWatches = 8, kWatchBytes = 16;
  static constexpr uint64_t kLook = 4096;  ///< instructions between looks for an interrupt
  struct Watch {
    uint64_t address = 0, bytes = 0;
    uint32_t reads = 0, writes = 0;
    uint8_t value[kWatchBytes] = {};  ///< that a write changes
  };
  uint32_t on = 0, every = 0;  ///< every: at each instruction
  uint32_t points = 0, watches = 0;
  uint64_t point[kPoints] = {};  ///< addresses of breakpoints
  Watch watch[kWatches] = {};
  uint32_t was_read = 0;  ///< `read_at`: the watch that the program has loaded from
  uint64_t read_at = 0;
  // Registers.
  uint32_t written = 0;  ///< the core takes them over
  uint32_t pstate = 0, fpcr = 0, fpsr = 0;
  uint64_t x[31] = {}, sp = 0, pc = 0;
  uint8_t v[32][16] = {};
};

struct Channel {
  static constexpr unsigned kRegions = 8, kTextBytes = 512;
  static constexpr uint64_t kBytes = 4096;  ///< of the shared memory, before regions
  static constexpr int kDescriptor = 3;     ///< of the shared memory in the core's process

  // Whose turn it is.
  std::atomic<uint32_t> core_runs{0};
  remote::Doorbell to_core, to_simulation;
  // Of the simulation, before the first turn.
  int64_t parent = 0;  ///< process
  uint32_t regions = 0;
  Region region[kRegions];
  uint64_t entry = 0;
  uint32_t centicycles = 100;  ///< of an instruction
  // While they take turns.
  uint64_t limit = 0;         ///< cycle
  uint64_t waited = 0;        ///< cycles that are no instruction's
  uint64_t instructions = 0;  ///< executed
  uint64_t pc = 0, sp = 0;
  Event event = Event::kTime;
  uint64_t address = 0, value = 0;
  uint32_t refused = 0;
  char text[kTextBytes] = {};
  Fault fault;  ///< the first one
  Debug debug;

  uint64_t cycle() const { return waited + instructions * centicycles / 100; }
};
static_assert(sizeof(Channel) <= Channel::kBytes);

}  // namespace presil::aarch64
