#include "tests/dsp/dsp_program.h"

#include <cstring>

#include "tests/dsp/dsp_assembler.h"
#include "tests/dsp/dsp_random.h"

namespace presil::dsp {
namespace {

int64_t random_operand(char letter, Random& random) {
  switch (letter) {
    case 'd':
      return x_target(random);
    case 'i':
      return static_cast<int64_t>(pick(random, 4096));
    case 'u':
      return static_cast<int64_t>(pick(random, 1 << 20));
    case '6':
      return static_cast<int64_t>(pick(random, 64));
    case 'r':
      return pick(random, 3) == 0 ? 7 : static_cast<int64_t>(pick(random, 5));
    default:
      return static_cast<int64_t>(pick(random, 32));
  }
}

unsigned access_bytes(const Instruction& row) {
  switch (row.name[row.name[0] == 'f' ? 2 : 1]) {
    case 'b':
      return 1;
    case 'h':
      return 2;
    case 'w':
      return 4;
    default:
      return 8;
  }
}

// By themselves; the others need company.
bool stands_alone(const Instruction& row) {
  return !row.is_vector && row.cls != Class::kConfigure && row.name != "ctzw" &&
         row.cls != Class::kSystem && row.name != "jal" && row.name != "jalr";
}

void skipped(Unit& unit, Random& random) {
  append(unit, encode("xori", {x_target(random), static_cast<int64_t>(pick(random, 32)),
                               static_cast<int64_t>(pick(random, 4096))}));
}

// The control and status registers of floats; frm is a rounding mode after it.
Unit csr_unit(Random& random) {
  constexpr const char* kNames[] = {"csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"};
  Unit unit = unit_of(
      encode(kNames[pick(random, 6)], {x_target(random), 1 + static_cast<int64_t>(pick(random, 3)),
                                       static_cast<int64_t>(pick(random, 32))}));
  append(unit, encode("csrrwi", {x_target(random), 2, static_cast<int64_t>(pick(random, 5))}));
  return unit;
}

// Jumps, branches of 16 bits, registers of control, fences, and ctzw of what has a one in its low
// half: qemu 7.2 counts on beyond bit 31 (repaired in 8.0).
Unit company(Random& random) {
  constexpr unsigned kLink = 5;
  const unsigned rd = x_target(random);
  const auto compressed_x = static_cast<unsigned>(pick(random, 8)) << 7;
  Unit unit;
  switch (pick(random, 8)) {
    case 0:
      unit = unit_of(encode("jal", {rd, 8}));
      break;
    case 1:
      unit = unit_of(encode("auipc", {kLink, 0}));
      append(unit, encode("jalr", {rd, 12, kLink}));
      break;
    case 2:
      unit = {static_cast<uint16_t>(0xc019 | compressed_x)};  // c.beqz, 6 bytes on
      break;
    case 3:
      unit = {static_cast<uint16_t>(0xe019 | compressed_x)};  // c.bnez
      break;
    case 4:
      unit = {0xa019};  // c.j
      break;
    case 5:
      return unit_of(pick(random, 2) == 0 ? 0x0ff0000f : 0x0000100f);  // fence, fence.i
    case 6:
      unit = unit_of(encode("ori", {rd, rd, 1 + static_cast<int64_t>(pick(random, 2047))}));
      append(unit, encode("ctzw", {x_target(random), rd == 0 ? kBase : rd}));
      return unit;
    default:
      return csr_unit(random);
  }
  skipped(unit, random);
  return unit;
}

Unit compressed(Random& random) {
  for (;;) {
    const auto half = static_cast<uint16_t>(random());
    const uint32_t word = expand(half);
    const Instruction* row = word == 0 ? nullptr : Isa::get().find(word);
    if (row == nullptr) continue;
    const uint32_t rd = word >> 7 & 31, rs1 = word >> 15 & 31;
    const bool memory = row->cls == Class::kLoad || row->cls == Class::kStore;
    if (row->cls != Class::kAlu && !memory) continue;
    if (memory && rs1 != kStack && rs1 != kBase) continue;
    if (row->cls != Class::kStore && !free_x(rd)) continue;
    return {half};
  }
}

Unit scalar_unit(Random& random) {
  if (pick(random, 4) == 0) return compressed(random);
  if (pick(random, 12) == 0) return company(random);
  const auto& rows = Isa::get().rows();
  for (;;) {
    const Instruction& row = rows[pick(random, rows.size())];
    if (!stands_alone(row)) continue;
    std::vector<int64_t> operands;
    for (const char* p = row.operands.c_str(); *p != 0; ++p) {
      if (std::strchr(", ", *p) != nullptr) continue;
      if (*p == 'l' || *p == 'k') {
        const unsigned bytes = access_bytes(row);
        operands.push_back(static_cast<int64_t>(pick(random, 4096 / bytes) * bytes) - 2048);
        operands.push_back(kBase);
      } else if (*p == 'b') {
        operands.push_back(8);
      } else {
        operands.push_back(random_operand(*p, random));
      }
    }
    Unit unit = unit_of(encode(row, operands));
    // A branch skips one instruction, or does not.
    if (row.cls == Class::kBranch) skipped(unit, random);
    return unit;
  }
}

}  // namespace

Program random_scalar_program(Random& random) {
  Program p;
  p.seed = random();
  for (unsigned i = 0; i < 48; ++i) p.body.push_back(scalar_unit(random));
  return p;
}

std::string to_text(const Program& program) {
  std::string text;
  for (const Unit& unit : program.body) {
    for (size_t i = 0; i < unit.size();) {
      const bool wide = (unit[i] & 3) == 3;
      text += "  ";
      if (wide) {
        text += disassemble(unit[i] | uint32_t{unit[i + 1]} << 16);
      } else {
        text += disassemble(expand(unit[i])) + "  (16 bits)";
      }
      text += '\n';
      i += wide ? 2 : 1;
    }
  }
  return text;
}

std::string Dump::name_of(unsigned offset, unsigned vlen) {
  if (offset < kF) return "x" + std::to_string(offset / 8);
  if (offset < kCsr) return "f" + std::to_string((offset - kF) / 4);
  constexpr const char* kCsrs[] = {"fcsr", "vcsr", "vl", "vtype"};
  if (offset < kV) return kCsrs[(offset - kCsr) / 8];
  if (offset < memory(vlen))
    return "v" + std::to_string((offset - kV) / (vlen / 8)) + " byte " +
           std::to_string((offset - kV) % (vlen / 8));
  return "memory byte " + std::to_string(offset - memory(vlen));
}

Linked link(const std::vector<Program>& programs, unsigned vlen, bool vectors) {
  Linked out;
  const unsigned bytes = Dump::bytes(vlen), memory = Dump::memory(vlen);
  // State that programs work on, then the state that each begins with.
  out.data.resize(bytes);
  Assembler a(Linked::kCode);
  const auto state = static_cast<int32_t>(Linked::kData);
  for (const Program& program : programs) {
    Random random(program.seed);
    const size_t begin = out.data.size();
    out.data.resize(begin + bytes);
    uint8_t* data = out.data.data() + begin;
    for (unsigned i = 0; i < bytes / 4; ++i) {
      const bool integer = i < Dump::kF / 4 || pick(random, 2) == 0;
      const uint32_t word =
          integer ? static_cast<uint32_t>(random_integer(random)) : random_float(random);
      std::memcpy(data + i * 4, &word, 4);
    }
    for (unsigned i = 0; i < 32; ++i) {
      const uint64_t value = random_integer(random);
      std::memcpy(data + i * 8, &value, 8);
    }
    const auto from = state + static_cast<int32_t>(begin);
    // memory
    a.li(5, from + static_cast<int32_t>(memory));
    a.li(6, state + static_cast<int32_t>(memory));
    a.li(7, state + static_cast<int32_t>(memory + Dump::kMemory));
    a("ld", {10, 0, 5});
    a("sd", {10, 0, 6});
    a("addi", {5, 5, 8});
    a("addi", {6, 6, 8});
    a("bne", {6, 7, -16});
    if (vectors)
      for (int n = 0; n < 32; n += 8) {
        a.li(5, from + static_cast<int32_t>(Dump::kV + static_cast<unsigned>(n) * vlen / 8));
        a("vl8re8.v", {n, 5});
      }
    a.li(31, from);
    for (int n = 0; n < 32; ++n) a("flw", {n, static_cast<int>(Dump::kF) + 4 * n, 31});
    data[Dump::kCsr] = static_cast<uint8_t>(pick(random, 5) << 5 | pick(random, 32));
    a("lbu", {5, Dump::kCsr, 31});
    a("csrrw", {0, 0x003, 5});
    if (vectors) {
      a("lbu", {5, Dump::kCsr + 1, 31});
      a("andi", {5, 5, 7});
      a("csrrw", {0, 0x00f, 5});
    }
    a.li(kState, state);
    a.li(kBase, state + static_cast<int32_t>(memory) + 2048);
    a.li(kStack, state + static_cast<int32_t>(memory) + 1024);
    for (int n = 1; n < 32; ++n)
      if (free_x(static_cast<uint32_t>(n))) a("ld", {n, 8 * n, 31});
    for (const Unit& unit : program.body) {
      // No unit lies in two pages: qemu translates each page by itself.
      while (a.here() % 4096 + 2 * unit.size() > 4096) a.half(0x0001);
      for (const uint16_t half : unit) a.half(half);
    }
    for (int n = 0; n < 32; ++n)
      if (free_x(static_cast<uint32_t>(n))) a("sd", {n, 8 * n, kState});
    for (int n = 0; n < 32; ++n) a("fsw", {n, static_cast<int>(Dump::kF) + 4 * n, kState});
    a("csrrs", {5, 0x003, 0});
    a("sd", {5, Dump::kCsr, kState});
    if (vectors) {
      constexpr int kCsrs[] = {0x00f, 0xc20, 0xc21};
      for (int i = 0; i < 3; ++i) {
        a("csrrs", {5, kCsrs[i], 0});
        a("sd", {5, static_cast<int>(Dump::kCsr) + 8 + 8 * i, kState});
      }
      for (int n = 0; n < 32; n += 8) {
        a.li(5, state + static_cast<int32_t>(Dump::kV + static_cast<unsigned>(n) * vlen / 8));
        a("vs8r.v", {n, 5});
      }
    }
    a("addi", {10, 0, 1});
    a("addi", {11, kState, 0});
    a.li(12, static_cast<int32_t>(bytes));
    a("addi", {17, 0, 64});
    a("ecall", {});
  }
  a("addi", {10, 0, 0});
  a("addi", {17, 0, 93});
  a("ecall", {});
  out.code = a.bytes();
  return out;
}

}  // namespace presil::dsp
