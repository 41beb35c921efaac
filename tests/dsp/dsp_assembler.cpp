#include "tests/dsp/dsp_assembler.h"

#include <cstring>
#include <map>
#include <stdexcept>

namespace presil::dsp {
namespace {

uint32_t branch_bits(uint32_t u) {
  return (u >> 11 & 1) << 7 | (u >> 1 & 15) << 8 | (u >> 5 & 63) << 25 | (u >> 12 & 1) << 31;
}
uint32_t jump_bits(uint32_t u) {
  return (u >> 12 & 255) << 12 | (u >> 11 & 1) << 20 | (u >> 1 & 1023) << 21 | (u >> 20 & 1) << 31;
}

uint32_t field_bits(char letter, uint32_t v) {
  switch (letter) {
    case 'd':
    case 'D':
    case 'v':
      return (v & 31) << 7;
    case 's':
    case 'S':
    case 'y':
    case 'z':
    case 'a':
    case 'I':
    case 'U':
      return (v & 31) << 15;
    case 't':
    case 'T':
    case 'w':
    case '5':
      return (v & 31) << 20;
    case 'R':
      return (v & 31) << 27;
    case 'i':
    case 'c':
      return v << 20;
    case '6':
      return (v & 63) << 20;
    case 'u':
      return v << 12;
    case 'b':
      return branch_bits(v);
    case 'j':
      return jump_bits(v);
    case 'r':
      return (v & 7) << 12;
    case 'm':  // 1: not masked
      return (v & 1) << 25;
    case 'f':
      return (v & 255) << 20;
    case 'E':
      return (v & 0x7ff) << 20;
    case 'e':
      return (v & 0x3ff) << 20;
    default:
      throw std::invalid_argument(std::string("no operand is written '") + letter + "'");
  }
}

}  // namespace

uint32_t encode(const Instruction& row, const std::vector<int64_t>& operands) {
  uint32_t word = row.match;
  size_t n = 0;
  auto next = [&] {
    if (n >= operands.size()) throw std::invalid_argument(row.name + " has more operands");
    return static_cast<uint32_t>(operands[n++]);
  };
  for (const char* p = row.operands.c_str(); *p != 0; ++p) {
    if (std::strchr(", 0", *p) != nullptr) continue;
    if (*p == 'l') {
      word |= next() << 20;
      word |= (next() & 31) << 15;
    } else if (*p == 'k') {
      const uint32_t offset = next();
      word |= (offset & 31) << 7 | (offset >> 5 & 127) << 25;
      word |= (next() & 31) << 15;
    } else {
      word |= field_bits(*p, next());
    }
  }
  if (n != operands.size()) throw std::invalid_argument(row.name + " has fewer operands");
  return word;
}

uint32_t encode(const std::string& name, const std::vector<int64_t>& operands) {
  static const std::map<std::string, const Instruction*> names = [] {
    std::map<std::string, const Instruction*> m;
    for (const Instruction& row : Isa::get().rows()) m.emplace(row.name, &row);
    return m;
  }();
  const auto found = names.find(name);
  if (found == names.end()) throw std::invalid_argument("no instruction is called " + name);
  return encode(*found->second, operands);
}

void Assembler::li(unsigned rd, int32_t value) {
  const int32_t low = static_cast<int32_t>(static_cast<uint32_t>(value) << 20) >> 20;
  const uint32_t high = static_cast<uint32_t>(value) - static_cast<uint32_t>(low);
  (*this)("lui", {rd, static_cast<int64_t>(high >> 12)});
  (*this)("addiw", {rd, rd, low});
}

}  // namespace presil::dsp
