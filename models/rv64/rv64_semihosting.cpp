#include "models/rv64/rv64_semihosting.h"

#include <cstring>

namespace presil::rv64 {
namespace {

constexpr uint64_t kFailed = ~uint64_t{0}, kApplicationExit = 0x20026;
enum : uint64_t { kWriteCharacter = 0x03, kWriteString = 0x04, kExit = 0x18, kExitExtended = 0x20 };

bool word(const dsp::Memory& memory, uint64_t address, uint64_t& value) {
  const uint8_t* host = memory.at(address, 8, dsp::kRead);
  if (host != nullptr) std::memcpy(&value, host, 8);
  return host != nullptr;
}

}  // namespace

SemihostingAnswer serve_semihosting(const dsp::Memory& memory, const Console& console,
                                    uint64_t operation, uint64_t parameter) {
  // Of a string up to its zero, or one character.
  if (operation == kWriteString || operation == kWriteCharacter) {
    std::string text;
    for (;; ++parameter) {
      const uint8_t* host = memory.at(parameter, 1, dsp::kRead);
      if (host == nullptr) return {kFailed, false};
      if (operation == kWriteString && *host == 0) break;
      text += static_cast<char>(*host);
      if (operation == kWriteCharacter) break;
    }
    if (console) console(text);
    return {0, false};
  }
  if (operation == kExit || operation == kExitExtended) {
    uint64_t reason = 0, status = 0;
    if (!word(memory, parameter, reason) || !word(memory, parameter + 8, status)) return {1, true};
    return {reason == kApplicationExit ? status : 1, true};
  }
  return {kFailed, false};
}

}  // namespace presil::rv64
