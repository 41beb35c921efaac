// A program of the user's own on the core: it runs from its reset to its end, and what ends it
// before is told in a sentence.
#include <algorithm>
#include <cstdio>

#include "models/base/refusal.h"
#include "sim/host_cpu/host_cpu.h"

namespace presil::host_cpu {
namespace {

// Bits of CFSR.
constexpr uint32_t kFetchMpu = 1, kDataMpu = 2, kStackMpu = 0x10, kFetchBus = 1u << 8,
                   kDataBus = 1u << 9, kStackBus = 1u << 12, kUndefined = 1u << 16,
                   kNoThumb = 1u << 17, kNoReturn = 1u << 18, kNoUnit = 1u << 19,
                   kStackLimit = 1u << 20, kUnaligned = 1u << 24, kDivided = 1u << 25;
constexpr uint32_t kFault = 128;  // exit status of a handler: + the exception's number
constexpr uint32_t kRam = 0x20000000, kBelow = 1u << 20;

std::string hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", static_cast<unsigned>(value));
  return text;
}

/// A stack at the RAM's first bytes overflows to below them.
bool overflows(const cpu::FaultReport& f) {
  if ((f.status & (kStackLimit | kStackBus | kStackMpu)) != 0) return true;
  return (f.status & kDataBus) != 0 && f.address < kRam && f.address >= kRam - kBelow;
}

std::string words_of(const cpu::FaultReport& f) {
  if (overflows(f)) {
    return "overflows its stack (sp " + hex(f.sp) +
           "); give it more in the linker script, or use less";
  }
  if ((f.status & (kFetchBus | kFetchMpu)) != 0) {
    return "jumps to " + hex(f.pc) + (f.pc >= kRam ? ", which is data" : ", which is no code") +
           "; a function pointer or a return address is wrong";
  }
  if ((f.status & kNoThumb) != 0)
    return "jumps to " + hex(f.pc) + " in Arm state; bit 0 of the address must be 1 (Thumb)";
  if ((f.status & kUnaligned) != 0) {
    return "accesses " + hex(f.address) +
           " unaligned by an instruction that requires an aligned address (exclusive, double or "
           "multiple)";
  }
  if ((f.status & kUndefined) != 0) return "executes an instruction that this core does not have";
  if ((f.status & kNoUnit) != 0) return "uses the float unit, which is not enabled (CPACR)";
  if ((f.status & kNoReturn) != 0) return "returns from an exception by a value that is none";
  if ((f.status & kDivided) != 0) return "divides by 0";
  if ((f.status & kDataMpu) != 0) return "accesses " + hex(f.address) + ", which the MPU forbids";
  if ((f.status & kDataBus) != 0) return "accesses " + hex(f.address) + ", where nothing answers";
  return "takes exception " + std::to_string(f.exception);
}

}  // namespace

uint8_t* HostCpu::bytes(uint32_t address, uint32_t count) const {
  for (const cpu::Region& region : m_core.memory().regions()) {
    const uint32_t offset = address - region.base;
    if (region.host == nullptr || offset > region.bytes || count > region.bytes - offset) continue;
    return region.host + offset;
  }
  return nullptr;
}

std::string HostCpu::fault() const {
  const cpu::FaultReport& f = m_core.system().last_fault();
  if (f.exception == 0) return "";
  std::string at = cpu::function_at(m_image, f.pc);
  std::string caller = cpu::function_at(m_image, f.lr & ~1u);
  if (at.empty() && !caller.empty()) at = "what '" + caller + "' has called";
  return (at.empty() ? "at " + hex(f.pc) : "at " + hex(f.pc) + " in '" + at + "'") + " it " +
         words_of(f);
}

HostCpu::Ended HostCpu::run_program(uint64_t cycles) {
  m_begin = m_host.now();
  const auto failed = [this](const std::string& how) {
    return ProgramFailed("host " + m_files.kind + ": '" + m_files.firmware + "', cycle " +
                         std::to_string(m_core.cycle()) + ": " + how);
  };
  while (m_core.cycle() < cycles) {
    update_line();
    const cpu::Stop& stop = m_core.run_awake(std::min(cycles, m_core.cycle() + kQuantum));
    follow(m_core.cycle());
    switch (stop.reason) {
      case cpu::Reason::kTime:
        break;
      case cpu::Reason::kWait:
        sleep();
        break;
      case cpu::Reason::kExit:
        if (stop.status >= kFault && !fault().empty()) throw failed(fault());
        return {true, stop.status};
      case cpu::Reason::kLockup:
        throw failed(fault() + "; its handler of faults fails too");
      case cpu::Reason::kBreakpoint:
        throw failed("stops at BKPT " + std::to_string(stop.status) + " in '" +
                     cpu::function_at(m_image, stop.pc) + "', and no debugger is there");
      case cpu::Reason::kLater:
        throw Refusal("host", m_files.kind + ": '" + m_files.firmware +
                                  "' serves requests of a simulation, must be a program with an "
                                  "end; `presil firmware` makes one");
    }
  }
  return {};
}

}  // namespace presil::host_cpu
