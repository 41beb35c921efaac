// What ends a program on an Arm core, as a sentence.
#include <cstdio>

#include "sim/host_cpu/arm_core.h"

namespace presil::host_cpu {
namespace {

// Bits of CFSR.
constexpr uint32_t kFetchMpu = 1, kDataMpu = 2, kStackMpu = 0x10, kFetchBus = 1u << 8,
                   kDataBus = 1u << 9, kStackBus = 1u << 12, kUndefined = 1u << 16,
                   kNoThumb = 1u << 17, kNoReturn = 1u << 18, kNoUnit = 1u << 19,
                   kStackLimit = 1u << 20, kUnaligned = 1u << 24, kDivided = 1u << 25;
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

std::string ArmCore::fault() const {
  const cpu::FaultReport& f = m_core.system().last_fault();
  if (f.exception == 0) return "";
  const std::string function = cpu::function_at(m_image, f.pc);
  const std::string caller = cpu::function_at(m_image, f.lr & ~1u);
  std::string where = function.empty() ? "" : " in '" + function + "'";
  if (function.empty() && !caller.empty()) where = ", which '" + caller + "' has called,";
  return "at " + hex(f.pc) + where + " it " + words_of(f);
}

}  // namespace presil::host_cpu
