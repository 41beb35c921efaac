// A RISC-V core's integer and float registers as GDB numbers them: x0 to x31, pc, f0 to f31,
// fflags, frm, fcsr. What a core has besides follows them.
#pragma once

#include <cstring>
#include <string>

#include "sim/debug/target.h"

namespace presil::debug {

template <class T>
Bytes bytes_of(T value) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

namespace riscv {

enum : unsigned { kPc = 32, kFloat = 33, kFflags = 65, kFrm = 66, kFcsr = 67, kOthers = 68 };

/// One register of a description.
std::string described(const std::string& name, unsigned bits, const std::string& type);
/// A description up to these registers; other features and "</target>" follow.
std::string description_begins();

/// @param hart x, f, frm, fflags @param number below kOthers
template <class Hart>
Bytes register_bytes(const Hart& hart, uint64_t pc, unsigned number) {
  if (number < kPc) return bytes_of<uint64_t>(number == 0 ? 0 : hart.x[number]);
  if (number == kPc) return bytes_of<uint64_t>(pc);
  if (number < kFflags) return bytes_of<uint32_t>(hart.f[number - kFloat]);
  if (number == kFflags) return bytes_of<uint32_t>(hart.fflags);
  if (number == kFrm) return bytes_of<uint32_t>(hart.frm);
  return bytes_of<uint32_t>(static_cast<uint32_t>(hart.frm) << 5 | hart.fflags);
}

/// @return false: it cannot be written. Neither can pc: the program's way stays its own
template <class Hart>
bool set_register(Hart& hart, unsigned number, const Bytes& value) {
  uint64_t bits = 0;
  std::memcpy(&bits, value.data(), value.size() < sizeof bits ? value.size() : sizeof bits);
  if (number != 0 && number < kPc) {
    hart.x[number] = bits;
  } else if (number >= kFloat && number < kFflags) {
    hart.f[number - kFloat] = static_cast<uint32_t>(bits);
  } else {
    return false;
  }
  return true;
}

}  // namespace riscv
}  // namespace presil::debug
