// What ends a program on a core, in words: the same for every instruction set.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace presil::host_cpu {

/// A fault as its core has met it, before any handler.
struct FaultMet {
  enum class Kind : uint8_t {
    kNone,
    kJump,       ///< to `pc`, where no instructions are
    kAccess,     ///< of `address`, where nothing answers
    kUnaligned,  ///< of `address`
    kUndefined,  ///< an instruction that the core lacks
    kOther       ///< `words`
  };
  Kind kind = Kind::kNone;
  uint64_t pc = 0, caller = 0, sp = 0, address = 0;
  bool overflows = false;  ///< the core itself tells of its stack
  std::string words;       ///< instead of, or besides, what the kind says
};

/// "at 0x00000104 in 'f' it divides by 0"; empty: no fault.
/// @param function_at "name + 0x12" of an address; empty: none
std::string sentence_of(const FaultMet& fault,
                        const std::function<std::string(uint64_t)>& function_at);

std::string hex_address(uint64_t address);

}  // namespace presil::host_cpu
