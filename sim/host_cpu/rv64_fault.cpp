// What ends a program on an RV64 core, by the trap that it has met first.
#include "sim/host_cpu/fault_words.h"
#include "sim/host_cpu/rv64_core.h"

namespace presil::host_cpu {
namespace {

using dsp::Cause;

// Major opcode of lr, sc and the other atomic instructions.
constexpr uint32_t kOpcode = 0x7f, kAtomic = 0x2f;

FaultMet met_by(const rv64::Trap& trap) {
  FaultMet met;
  if (!trap.taken) return met;
  met.pc = trap.pc;
  met.caller = trap.ra;
  met.sp = trap.sp;
  met.address = trap.value;
  switch (static_cast<Cause>(trap.cause)) {
    case Cause::kFetch:
      met.kind = FaultMet::Kind::kJump;
      break;
    case Cause::kLoadFault:
    case Cause::kStoreFault:
      met.kind = FaultMet::Kind::kAccess;
      break;
    case Cause::kLoadMisaligned:
    case Cause::kStoreMisaligned:
      met.kind = FaultMet::Kind::kUnaligned;
      met.words = "every load and store of this core";
      break;
    case Cause::kIllegal:
      met.kind = FaultMet::Kind::kUndefined;
      if ((trap.value & kOpcode) == kAtomic)
        met.words =
            "executes an atomic instruction (lr, sc, amo), which this core does not have; it is "
            "RV64IMFC, compile without A";
      break;
    default:
      met.kind = FaultMet::Kind::kOther;
      met.words = "takes trap " + std::to_string(trap.cause);
  }
  return met;
}

}  // namespace

std::string Rv64Core::fault() const {
  return sentence_of(met_by(m_core.last_trap()),
                     [this](uint64_t address) { return function_at(address); });
}

}  // namespace presil::host_cpu
