// Puts instructions together from the table's rows.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "models/dsp/dsp_isa.h"

namespace presil::dsp {

/// Operands in the order in which the row writes them; 'l' and 'k' take two: offset and register.
/// @throws std::invalid_argument: no such name, or another number of operands
uint32_t encode(const Instruction& row, const std::vector<int64_t>& operands);
uint32_t encode(const std::string& name, const std::vector<int64_t>& operands);

/// A piece of code at a known address.
class Assembler {
 public:
  explicit Assembler(uint64_t address) : m_address(address) {}
  void operator()(const std::string& name, std::initializer_list<int64_t> operands) {
    word(encode(name, operands));
  }
  void word(uint32_t value) {
    half(static_cast<uint16_t>(value));
    half(static_cast<uint16_t>(value >> 16));
  }
  void half(uint16_t value) {
    m_bytes.push_back(static_cast<uint8_t>(value));
    m_bytes.push_back(static_cast<uint8_t>(value >> 8));
  }
  /// rd = value, sign extended from 32 bits
  void li(unsigned rd, int32_t value);
  uint64_t here() const { return m_address + m_bytes.size(); }
  const std::vector<uint8_t>& bytes() const { return m_bytes; }

 private:
  uint64_t m_address;
  std::vector<uint8_t> m_bytes;
};

}  // namespace presil::dsp
