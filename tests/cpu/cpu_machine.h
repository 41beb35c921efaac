// A core with flash at 0 and RAM, for tests that write their programs as halfwords.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "models/cpu/cpu_core.h"

namespace presil::cpu {

constexpr uint32_t kProgram = 0x1000, kRam = 0x20000000, kRamBytes = 0x10000,
                   kStackTop = kRam + 0x8000;

inline Config v7() {
  Config config;
  config.name = "cortex_m4";
  config.architecture = Architecture::kArmv7em;
  config.fpu = Fpu::kFpv4;
  return config;
}

struct Machine {
  std::vector<uint8_t> flash = std::vector<uint8_t>(0x10000), ram = std::vector<uint8_t>(kRamBytes);
  Core core;
  std::string console;

  explicit Machine(const Config& config = {}) : core(config) {
    core.memory().add(region(0, flash, kRead | kExecute));
    core.memory().add(region(kRam, ram, kRead | kWrite | kExecute));
    core.set_console([this](const std::string& text) { console += text; });
    vector(0, kStackTop);
    for (unsigned n = 1; n < 48; ++n) vector(n, kProgram | 1);
  }
  static Region region(uint32_t base, std::vector<uint8_t>& bytes, uint8_t rights) {
    Region r;
    r.base = base;
    r.bytes = static_cast<uint32_t>(bytes.size());
    r.host = bytes.data();
    r.rights = rights;
    return r;
  }
  void vector(unsigned n, uint32_t value) { std::memcpy(&flash[4 * n], &value, 4); }
  void handler(unsigned n, uint32_t address) { vector(n, address | 1); }
  /// Halfwords from an address on, in flash or RAM.
  void put(uint32_t address, const std::vector<unsigned>& halves) {
    uint8_t* at = address >= kRam ? &ram[address - kRam] : &flash[address];
    for (const unsigned half : halves) {
      const auto bits = static_cast<uint16_t>(half);
      std::memcpy(at, &bits, 2);
      at += 2;
    }
  }
  uint32_t word(uint32_t address) {
    uint32_t value = 0;
    std::memcpy(&value, address >= kRam ? &ram[address - kRam] : &flash[address], 4);
    return value;
  }
  void poke(uint32_t address, uint32_t value) {
    std::memcpy(address >= kRam ? &ram[address - kRam] : &flash[address], &value, 4);
  }
  uint32_t reg(uint32_t address) {
    uint32_t value = 0;
    core.system().load(address, 4, core.cycle(), value);
    return value;
  }
  void set(uint32_t address, uint32_t value) {
    core.system().store(address, 4, core.cycle(), value);
  }
  void start() { core.reset(0); }
  /// Until it stops; a breakpoint is the end of most programs.
  Reason run(uint64_t cycle = 100000) { return core.run_until(cycle).reason; }
  uint32_t r(unsigned n) const { return core.hart().r[n]; }
};

// Registers of the system control space.
constexpr uint32_t kIser = 0xe000e100, kIspr = 0xe000e200, kIpr = 0xe000e400, kIcsr = 0xe000ed04,
                   kAircr = 0xe000ed0c, kScr = 0xe000ed10, kCcr = 0xe000ed14, kShpr3 = 0xe000ed20,
                   kShcsr = 0xe000ed24, kCfsr = 0xe000ed28, kHfsr = 0xe000ed2c, kMmfar = 0xe000ed34,
                   kBfar = 0xe000ed38, kCpacr = 0xe000ed88, kMpuControl = 0xe000ed94,
                   kMpuNumber = 0xe000ed98, kMpuBase = 0xe000ed9c, kMpuLimit = 0xe000eda0,
                   kTimerControl = 0xe000e010, kTimerReload = 0xe000e014, kTimerValue = 0xe000e018,
                   kFpccr = 0xe000ef34;

}  // namespace presil::cpu
