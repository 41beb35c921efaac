#include "sim/host_cpu/fault_words.h"

#include <cstdio>

namespace presil::host_cpu {
namespace {

constexpr uint64_t kRam = 0x20000000, kBelow = 1u << 20;

/// A stack at the RAM's first bytes overflows to below them.
bool overflows(const FaultMet& f) {
  const bool below = f.address < kRam && f.address >= kRam - kBelow;
  return f.overflows || (f.kind == FaultMet::Kind::kAccess && below);
}

std::string words_of(const FaultMet& f) {
  if (overflows(f)) {
    return "overflows its stack (sp " + hex_address(f.sp) +
           "); give it more in the linker script, or use less";
  }
  switch (f.kind) {
    case FaultMet::Kind::kJump:
      return "jumps to " + hex_address(f.pc) +
             (f.pc >= kRam ? ", which is data" : ", which is no code") +
             "; a function pointer or a return address is wrong";
    case FaultMet::Kind::kAccess:
      return "accesses " + hex_address(f.address) + ", where nothing answers";
    case FaultMet::Kind::kUnaligned:
      return "accesses " + hex_address(f.address) +
             " unaligned by an instruction that requires an aligned address" +
             (f.words.empty() ? "" : " (" + f.words + ")");
    case FaultMet::Kind::kUndefined:
      return f.words.empty() ? "executes an instruction that this core does not have" : f.words;
    default:
      return f.words;
  }
}

}  // namespace

std::string hex_address(uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%08llx", static_cast<unsigned long long>(address));
  return text;
}

std::string sentence_of(const FaultMet& fault,
                        const std::function<std::string(uint64_t)>& function_at) {
  if (fault.kind == FaultMet::Kind::kNone) return "";
  const std::string function = function_at(fault.pc), caller = function_at(fault.caller);
  std::string where = function.empty() ? "" : " in '" + function + "'";
  if (function.empty() && !caller.empty()) where = ", which '" + caller + "' has called,";
  return "at " + hex_address(fault.pc) + where + " it " + words_of(fault);
}

}  // namespace presil::host_cpu
