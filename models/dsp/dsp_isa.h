// The instruction set as a table: a row says how an instruction is written and encoded, what it
// costs and what executes it. Decoder, disassembler, encoder, the random tests' operands, the cycle
// classes and the printed list all come from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/dsp/dsp_hart.h"
#include "models/dsp/dsp_vector_op.h"

namespace presil::dsp {

/// One row. `operands` is how the instruction is written after its name, each letter a field:
///   d s t    x registers rd, rs1, rs2           D S T R  f registers rd, rs1, rs2, rs3
///   i        12-bit immediate                   l k      imm(rs1) of a load, of a store
///   b j u    branch, jump target, upper 20 bits 6 5      shift amounts of 6, 5 bits
///   c z      CSR number, 5-bit immediate        r        rounding mode, written unless dynamic
///   a        (rs1)                              f        what a fence orders
///   v w y    v registers vd, vs2, vs1           m        mask, written when the instruction has it
///   I U      5-bit immediate, signed, unsigned  0        v0, the carry or the selection
///   E e      vtype in 11, in 10 bits
struct Instruction {
  std::string name;
  uint32_t match = 0, mask = 0;
  std::string operands;
  Class cls = Class::kAlu;
  const char* extension = "";
  Handler run = nullptr;
  bool is_vector = false;
  VectorInfo vector;
};

/// A row of a scalar family's table.
struct ScalarRow {
  const char* name;
  uint32_t match, mask;
  const char* operands;
  Class cls;
  Handler run;
};

constexpr uint32_t kMaskOpcode = 0x7f, kMaskI = 0x707f, kMaskR = 0xfe00707f,
                   kMaskShift = 0xfc00707f, kMaskUnary = 0xfff0707f, kMaskAll = 0xffffffff;

/// Every instruction; immutable, one for all cores.
class Isa {
 public:
  static const Isa& get();
  /// Null: no instruction has this encoding.
  const Instruction* find(uint32_t word) const;
  const std::vector<Instruction>& rows() const { return m_rows; }
  uint16_t index(const Instruction& row) const {
    return static_cast<uint16_t>(&row - m_rows.data());
  }

 private:
  Isa();
  static unsigned bucket(uint32_t word) { return (word >> 2 & 31) << 3 | (word >> 12 & 7); }

  std::vector<Instruction> m_rows;
  std::vector<std::vector<uint16_t>> m_buckets;  // rows by opcode and funct3
};

/// vsetvli, vsetivli, vsetvl: what follows has the vtype. False: it is known only when executed.
bool configure(Decoded& op, uint32_t word, Vtype& vtype, const Config& config);

bool writes(const Instruction& row, char field);
inline bool writes_x(const Instruction& row) {
  return writes(row, 'd');
}

/// "vadd.vv v1, v2, v3, v0.t": as clang's assembler takes it; of 16 bits what they stand for.
/// Targets are distances: ". + 8".
std::string disassemble(uint32_t bits);

/// All instructions as a page of Markdown.
std::string instruction_list();

/// The 32-bit instruction that a 16-bit one stands for; 0: none, the encoding is reserved.
uint32_t expand(uint16_t word);

/// Immediates where the encoding has them, sign extended.
int64_t imm_i(uint32_t word);
int64_t imm_s(uint32_t word);
int64_t imm_b(uint32_t word);
int64_t imm_j(uint32_t word);
int64_t imm_u(uint32_t word);

// The families.
const std::vector<ScalarRow>& integer_rows();
const std::vector<ScalarRow>& multiply_rows();
const std::vector<ScalarRow>& bit_rows();
const std::vector<ScalarRow>& float_rows();
const std::vector<ScalarRow>& system_rows();
const std::vector<ScalarRow>& configure_rows();

/// Instructions of a vector family's rows, one for each form; `best` has the same rows.
std::vector<Instruction> instructions_of(Rows rows, Rows best);
std::vector<Instruction> vector_memory_instructions();

}  // namespace presil::dsp
