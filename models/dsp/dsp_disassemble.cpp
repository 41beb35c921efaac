// A word as text, by the operands of its row.
#include <cstdio>

#include "models/dsp/dsp_csr.h"
#include "models/dsp/dsp_isa.h"

namespace presil::dsp {
namespace {

std::string x(uint32_t n) {
  return "x" + std::to_string(n);
}
std::string v(uint32_t n) {
  return "v" + std::to_string(n);
}
std::string f(uint32_t n) {
  return "f" + std::to_string(n);
}
std::string distance(int64_t by) {
  return by < 0 ? ". - " + std::to_string(-by) : ". + " + std::to_string(by);
}

std::string csr(uint32_t number) {
  const char* name = csr_name(number);
  return name != nullptr ? name : std::to_string(number);
}

std::string rounding(uint32_t rm) {
  constexpr const char* kNames[8] = {", rne", ", rtz", ", rdn", ", rup", ", rmm", ", 5", ", 6", ""};
  return kNames[rm];
}

std::string fence(uint32_t w) {
  auto set = [](uint32_t bits) {
    std::string s;
    for (unsigned i = 0; i < 4; ++i)
      if ((bits & (8 >> i)) != 0) s += "iorw"[i];
    return s.empty() ? std::string("0") : s;
  };
  return set(w >> 24 & 15) + ", " + set(w >> 20 & 15);
}

std::string vtype(uint32_t bits) {
  constexpr const char* kLmul[8] = {"m1", "m2", "m4", "m8", "", "mf8", "mf4", "mf2"};
  if (bits > 0xff || (bits >> 3 & 7) > 3 || (bits & 7) == 4) return std::to_string(bits);
  return "e" + std::to_string(8u << (bits >> 3 & 7)) + ", " + kLmul[bits & 7] +
         ((bits & 0x40) != 0 ? ", ta" : ", tu") + ((bits & 0x80) != 0 ? ", ma" : ", mu");
}

std::string field(char letter, uint32_t w) {
  const uint32_t rd = w >> 7 & 31, rs1 = w >> 15 & 31, rs2 = w >> 20 & 31, rs3 = w >> 27;
  switch (letter) {
    case 'd':
      return x(rd);
    case 's':
      return x(rs1);
    case 't':
      return x(rs2);
    case 'D':
      return f(rd);
    case 'S':
      return f(rs1);
    case 'T':
      return f(rs2);
    case 'R':
      return f(rs3);
    case 'i':
      return std::to_string(imm_i(w));
    case 'l':
      return std::to_string(imm_i(w)) + "(" + x(rs1) + ")";
    case 'k':
      return std::to_string(imm_s(w)) + "(" + x(rs1) + ")";
    case 'b':
      return distance(imm_b(w));
    case 'j':
      return distance(imm_j(w));
    case 'u':
      return std::to_string(w >> 12);
    case '6':
      return std::to_string(w >> 20 & 63);
    case '5':
      return std::to_string(rs2);
    case 'c':
      return csr(w >> 20);
    case 'z':
      return std::to_string(rs1);
    case 'v':
      return v(rd);
    case 'w':
      return v(rs2);
    case 'y':
      return v(rs1);
    case 'a':
      return "(" + x(rs1) + ")";
    case 'm':
      return (w >> 25 & 1) != 0 ? "" : ", v0.t";
    case '0':
      return "v0";
    case 'I':
      return std::to_string(static_cast<int32_t>(w << 12) >> 27);
    case 'U':
      return std::to_string(rs1);
    case 'E':
      return vtype(w >> 20 & 0x7ff);
    case 'e':
      return vtype(w >> 20 & 0x3ff);
    case 'r':
      return rounding(w >> 12 & 7);
    case 'f':
      return fence(w);
    default:
      return std::string(1, letter);
  }
}

}  // namespace

std::string disassemble(uint32_t bits) {
  const uint32_t word =
      bits >> 16 == 0 && (bits & 3) != 3 ? expand(static_cast<uint16_t>(bits)) : bits;
  const Instruction* row = Isa::get().find(word);
  if (row == nullptr) {
    char text[32];
    std::snprintf(text, sizeof text, ".word 0x%08x", bits);
    return text;
  }
  std::string text = row->name;
  if (!row->operands.empty()) text += ' ';
  for (const char* p = row->operands.c_str(); *p != 0; ++p) text += field(*p, word);
  return text;
}

}  // namespace presil::dsp
