// What ends a program on an AArch64 core, by the exception that it has met first.
#include "sim/host_cpu/aarch64_core.h"
#include "sim/host_cpu/fault_words.h"

namespace presil::host_cpu {
namespace {

// Classes of ESR_EL1.
constexpr uint32_t kUnknown = 0x00, kFetch = 0x21, kData = 0x25;

FaultMet met_by(const aarch64::Fault& f) {
  FaultMet met;
  if (f.met == 0) return met;
  met.pc = f.pc;
  met.caller = f.lr;
  met.sp = f.sp;
  met.address = f.address;
  if (f.unaligned != 0) {
    met.kind = FaultMet::Kind::kUnaligned;
    met.words = "exclusive";
  } else if (f.exception_class == kFetch) {
    met.kind = FaultMet::Kind::kJump;
  } else if (f.exception_class == kData) {
    met.kind = FaultMet::Kind::kAccess;
  } else if (f.exception_class == kUnknown) {
    met.kind = FaultMet::Kind::kUndefined;
  } else {
    met.kind = FaultMet::Kind::kOther;
    met.words = "takes an exception of class " + std::to_string(f.exception_class);
  }
  return met;
}

}  // namespace

std::string Aarch64Core::fault() const {
  return sentence_of(met_by(m_channel->fault),
                     [this](uint64_t address) { return function_at(address); });
}

}  // namespace presil::host_cpu
