// What ends a program on an Arm core of the M profile, by its fault status.
#include "sim/host_cpu/arm_core.h"
#include "sim/host_cpu/fault_words.h"

namespace presil::host_cpu {
namespace {

// Bits of CFSR.
constexpr uint32_t kFetchMpu = 1, kDataMpu = 2, kStackMpu = 0x10, kFetchBus = 1u << 8,
                   kDataBus = 1u << 9, kStackBus = 1u << 12, kUndefined = 1u << 16,
                   kNoThumb = 1u << 17, kNoReturn = 1u << 18, kNoUnit = 1u << 19,
                   kStackLimit = 1u << 20, kUnaligned = 1u << 24, kDivided = 1u << 25;

FaultMet other(const cpu::FaultReport& f, FaultMet met) {
  met.kind = FaultMet::Kind::kOther;
  const std::string pc = hex_address(met.pc), address = hex_address(met.address);
  if ((f.status & kNoThumb) != 0)
    met.words = "jumps to " + pc + " in Arm state; bit 0 of the address must be 1 (Thumb)";
  else if ((f.status & kNoUnit) != 0)
    met.words = "uses the float unit, which is not enabled (CPACR)";
  else if ((f.status & kNoReturn) != 0)
    met.words = "returns from an exception by a value that is none";
  else if ((f.status & kDivided) != 0)
    met.words = "divides by 0";
  else if ((f.status & kDataMpu) != 0)
    met.words = "accesses " + address + ", which the MPU forbids";
  else
    met.words = "takes exception " + std::to_string(f.exception);
  return met;
}

FaultMet met_by(const cpu::FaultReport& f) {
  FaultMet met;
  if (f.exception == 0) return met;
  met.pc = f.pc;
  met.caller = f.lr & ~1u;
  met.sp = f.sp;
  met.address = f.address;
  met.overflows = (f.status & (kStackLimit | kStackBus | kStackMpu)) != 0;
  if ((f.status & (kFetchBus | kFetchMpu)) != 0) {
    met.kind = FaultMet::Kind::kJump;
  } else if ((f.status & kUnaligned) != 0) {
    met.kind = FaultMet::Kind::kUnaligned;
    met.words = "exclusive, double or multiple";
  } else if ((f.status & kUndefined) != 0) {
    met.kind = FaultMet::Kind::kUndefined;
  } else if ((f.status & kDataBus) != 0) {
    met.kind = FaultMet::Kind::kAccess;
  } else {
    return other(f, met);
  }
  return met;
}

}  // namespace

std::string ArmCore::fault() const {
  return sentence_of(met_by(m_core.system().last_fault()),
                     [this](uint64_t address) { return function_at(address); });
}

}  // namespace presil::host_cpu
