#include "models/cpu/cpu_semihosting.h"

namespace presil::cpu {
namespace {

constexpr uint32_t kFailed = 0xffffffff, kApplicationExit = 0x20026;
enum : uint32_t {
  kOpOpen = 0x01,
  kOpClose = 0x02,
  kOpWriteCharacter = 0x03,
  kOpWriteString = 0x04,
  kOpWrite = 0x05,
  kOpIsTty = 0x09,
  kOpError = 0x13,
  kOpExit = 0x18,
  kOpExitExtended = 0x20
};

}  // namespace

bool Semihosting::word(uint32_t address, uint32_t& value) const {
  const uint8_t* host = m_hart.memory.at(address, 4, kRead);
  if (host == nullptr) return false;
  std::memcpy(&value, host, 4);
  return true;
}

Semihosting::Answer Semihosting::write_string(uint32_t address) const {
  std::string text;
  for (;; ++address) {
    const uint8_t* host = m_hart.memory.at(address, 1, kRead);
    if (host == nullptr) return {kFailed, false};
    if (*host == 0) break;
    text += static_cast<char>(*host);
  }
  write(text);
  return {0, false};
}

// Handle, address, length; answers the bytes that were not written.
Semihosting::Answer Semihosting::write_bytes(uint32_t parameter) const {
  uint32_t address = 0, length = 0;
  if (!word(parameter + 4, address) || !word(parameter + 8, length)) return {kFailed, false};
  const uint8_t* host = m_hart.memory.at(address, length, kRead);
  if (host == nullptr) return {length, false};
  write(std::string(host, host + length));
  return {0, false};
}

Semihosting::Answer Semihosting::serve(uint32_t operation, uint32_t parameter) {
  uint32_t reason = 0, status = 0;
  switch (operation) {
    case kOpOpen:
      return {1, false};  // the console is the only file
    case kOpClose:
    case kOpError:
      return {0, false};
    case kOpIsTty:
      return {1, false};
    case kOpWriteCharacter: {
      const uint8_t* host = m_hart.memory.at(parameter, 1, kRead);
      if (host == nullptr) return {kFailed, false};
      write(std::string(1, static_cast<char>(*host)));
      return {0, false};
    }
    case kOpWriteString:
      return write_string(parameter);
    case kOpWrite:
      return write_bytes(parameter);
    case kOpExit:
      return {parameter == kApplicationExit ? 0u : 1u, true};
    case kOpExitExtended:
      if (!word(parameter, reason) || !word(parameter + 4, status)) return {1, true};
      return {reason == kApplicationExit ? status : 1u, true};
    default:
      return {kFailed, false};
  }
}

}  // namespace presil::cpu
