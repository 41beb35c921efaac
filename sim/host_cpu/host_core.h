// The core that executes the firmware, whatever its instruction set: what HostCpu asks of it. A new
// one implements HostCore and joins by a line in host_core.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace presil::debug {
class Debugger;
}

namespace presil::host_cpu {

enum class Access : uint8_t {
  kDone,
  kRefused,  ///< the core takes a fault
  kLater     ///< the core stops before the access, which has had no effect
};

/// Registers that the core reaches: accesses of 32 bits, in the core's cycle `cycle`.
class CoreDevice {
 public:
  virtual ~CoreDevice() = default;
  virtual Access load(uint32_t address, uint64_t cycle, uint32_t& value) = 0;
  virtual Access store(uint32_t address, uint64_t cycle, uint32_t value) = 0;
  /// For a debugger, without time. @return false: nothing is there
  virtual bool peek(uint32_t /*address*/, bool /*write*/, uint32_t& /*value*/) { return false; }
};

/// Part of the core's address space: bytes of the simulation, or a device.
struct CoreRegion {
  uint32_t base = 0, bytes = 0;
  uint8_t* host = nullptr;  ///< null: a device
  bool writes = false, executes = false;
  unsigned wait = 0;  ///< cycles of an access besides the instruction's
  CoreDevice* device = nullptr;
};

/// Why a core stands.
struct CoreStop {
  enum class Reason : uint8_t {
    kTime,        ///< the cycle that was asked for has come
    kWait,        ///< asleep: WFI
    kLater,       ///< a device is not ready
    kBreakpoint,  ///< an instruction for a debugger
    kExit,        ///< the program has ended with `status`; kFault + n: by exception n
    kStuck        ///< a fault where none can be taken
  };
  static constexpr uint32_t kFault = 128;
  Reason reason = Reason::kTime;
  uint64_t pc = 0;
  uint32_t status = 0;
};

/// GDB at a core (sim/debug).
class CoreDebug {
 public:
  virtual ~CoreDebug() = default;
  /// The core sleeps, and the SoC works.
  virtual void asleep() = 0;
};

/// Told of every instruction before it is executed.
class CoreObserver {
 public:
  virtual ~CoreObserver() = default;
  virtual void at(uint64_t pc, uint64_t cycle) = 0;
};

class HostCore {
 public:
  static constexpr uint64_t kNever = ~uint64_t{0};
  virtual ~HostCore() = default;

  /// Zeros for a region of the core's own; they live as long as the core.
  virtual uint8_t* memory(uint32_t bytes);
  virtual void add(const CoreRegion& region) = 0;
  /// The region at `base` holds other bytes from now on. False: this core cannot reach them.
  virtual bool move(uint32_t base, uint8_t* host) = 0;
  /// Bytes that the program can write; nullptr: an extent that is not whole in one such region.
  virtual uint8_t* at(uint32_t address, uint32_t bytes) = 0;
  /// The program's segments are in their regions, and the core is as after power-on.
  /// @throws Refusal where the program is none for this core
  virtual void reset() = 0;

  /// Runs until its time is `cycle` or later, or it stops for another reason. Where it falls asleep
  /// it stops at once, and its time stands.
  virtual CoreStop run(uint64_t cycle) = 0;
  /// Time passes for a core that sleeps, up to `cycle`.
  virtual void sleep_until(uint64_t cycle) = 0;
  /// Of a sleeping core: its own timer; kNever: none.
  virtual uint64_t next_event() const = 0;
  /// The line of the tile.
  virtual void set_interrupt(bool level) = 0;
  /// A device has let the access that it answers take so many cycles more.
  virtual void add_wait(uint64_t cycles) = 0;

  virtual uint64_t cycle() const = 0;
  virtual uint64_t instructions() const = 0;
  virtual uint64_t pc() const = 0;
  virtual uint64_t stack_pointer() const = 0;
  /// The function that holds an address, as "name + 0x12"; empty: none does.
  virtual std::string function_at(uint64_t address) const = 0;
  /// What the four words are that the program writes of a fault.
  virtual const char* fault_words() const = 0;
  /// From here on GDB is asked before each instruction. nullptr: there is no way to it yet.
  virtual std::unique_ptr<CoreDebug> debug(debug::Debugger&) { return nullptr; }
  /// The observer from here on, not beside a debugger; nullptr: none. False: this core has no way.
  virtual bool observe(CoreObserver*) { return false; }
  /// What the program has met and where, "at 0x00000104 in 'f' it divides by 0"; empty: no fault,
  /// or the core does not tell.
  virtual std::string fault() const { return ""; }
  virtual void set_console(std::function<void(const std::string&)> console) = 0;

 private:
  std::vector<std::unique_ptr<uint8_t[]>> m_memories;
};

/// The core of a file, with the program that it is to run; which one, `architecture` in it says.
/// @throws Refusal: a file that cannot be read, or no firmware for such a core
std::unique_ptr<HostCore> make_core(const std::string& core_file, const std::string& firmware);

}  // namespace presil::host_cpu
