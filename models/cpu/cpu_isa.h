// The instruction set as a table: a row says how an instruction is encoded, how its fields lie,
// what it costs and what executes it. Decoder and random tests come from it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/cpu_hart.h"

namespace presil::cpu {

/// What an instruction occupies and for how long; see cpu_timing.
enum class Class : uint8_t {
  kAlu,
  kMultiply,
  kMultiplyLong,
  kDivide,
  kLoad,
  kStore,
  kLoadMultiple,
  kStoreMultiple,
  kBranch,
  kBranchRegister,
  kLoadPc,
  kTableBranch,
  kIt,
  kBarrier,
  kSpecial,
  kFloat,
  kFloatMultiplyAdd,
  kFloatDivide,
  kFloatRoot,
  kFloatLoad,
  kFloatStore,
  kFloatMovePair,
  kSystem,  ///< ends a block: it may change what follows
};

/// How the fields of an encoding lie. T16 from kShiftImm on, T32 from kDataImm, VFP from kFloat3.
enum class Form : uint8_t {
  kNone,
  kShiftImm,   // rd[2:0] rm[5:3] imm5
  kLow3,       // rd[2:0] rn[5:3] rm[8:6]
  kLowImm3,    // rd rn imm3
  kLowImm8,    // rd[10:8] imm8; rn = rd
  kLow2,       // rdn[2:0] rm[5:3]
  kLowNegate,  // rd[2:0] rn[5:3], imm 0
  kHigh2,      // rdn[7,2:0] rm[6:3]
  kBranchReg,  // rm[6:3]
  kLiteral16,  // rt[10:8] imm8 * 4
  kLoadReg16,  // rt[2:0] rn[5:3] rm[8:6]
  kLoadImm16,  // rt[2:0] rn[5:3] imm5 * size
  kStackImm8,  // rt[10:8] imm8 * 4, rn = 13
  kAdr16,
  kStackImm7,  // rd = rn = 13, imm7 * 4
  kCompareBranch,
  kExtend16,  // rd[2:0] rm[5:3]
  kPush,
  kPop,
  kMultiple16,
  kBranchCond16,
  kBranch16,
  kImm8,
  kDataImm,     // rn rd i:imm3:imm8 expanded, S
  kDataReg,     // rn rd rm imm5 type, S
  kPlainImm12,  // rn rd i:imm3:imm8
  kMoveImm16,
  kShiftReg,    // rd rn rm S
  kBitField,    // rd rn lsb msb
  kSaturate,    // rd rn shift imm5
  kSaturate16,  // rd rn imm4
  kThree,       // rd rn rm
  kFour,        // rd rn rm ra
  kLong,        // rdlo = ra, rdhi = rd, rn, rm
  kRotated,     // rd rn rm rotation
  kTwo,         // rd rm, rn = rm
  kLoadImm12,
  kLoadImm8,  // P U W
  kLoadReg32,
  kLiteral32,
  kDual,
  kExclusiveLoad,   // rt rn imm8 * 4
  kExclusiveStore,  // rd rt rn imm8 * 4
  kOrdered,         // rt rn; rd[3:0] of a store exclusive
  kTable,           // rn rm
  kMultiple32,
  kBranchCond32,
  kBranch32,
  kSpecialRead,
  kSpecialWrite,
  kFloat3,
  kFloat2,
  kFloatImm,
  kFloatFixed,
  kFloatLoad,
  kFloatMultiple,
  kFloatMovePair,
  kFloatMoveCore,
  kFloatMoveHalf,  // Dd[x]
  kFloatSystem,    // rt
};

/// Bits of Row::flags.
enum RowFlag : uint16_t {
  kFlagsOutsideIt = 1,  ///< a T16 instruction that sets flags, unless in an IT block
  kEnds = 2,            ///< always leaves its block
  kNeedsV8 = 4,
  kNeedsFpu = 8,
  kNeedsFpv5 = 16,
  kNeedsDsp = 32,
  kSetsFlags = 64,  ///< of N Z C V, in an IT block too
  kPrivate = 128,   ///< left out of random programs: system, branches
  kDouble = 256,    ///< of a VFP load or move: D registers
  kLastInIt = 512,  ///< may be only the last of an IT block
};

/// Operations of data processing: Row::op of kDataImm, kDataReg and T16 forms without a handler.
enum class Op : uint8_t {
  kNone,
  kAnd,
  kBic,
  kOrr,
  kOrn,
  kEor,
  kAdd,
  kAdc,
  kSbc,
  kSub,
  kRsb,
  kMov,
  kMvn,
  kTst,
  kTeq,
  kCmp,
  kCmn,
  kPkh,
  kLsl,
  kLsr,
  kAsr,
  kRor
};

/// Addressing of a single load or store.
enum class Address : uint8_t { kOffset, kPre, kPost, kRegister, kLiteral };
/// Handlers of an access, by Address.
using Accesses = std::array<Handler, 5>;

struct Row {
  const char* name;
  uint32_t match, mask;
  Form form;
  Class cls;
  Handler run;
  uint16_t flags = 0;
  Op op = Op::kNone;
  const Accesses* accesses = nullptr;
  uint8_t size = 4;  ///< bytes of an access; what else a form asks for
};

/// Every instruction; immutable, one for all cores.
class Isa {
 public:
  static const Isa& get();
  /// Null: none has this encoding. A word of 32 bits has its first halfword on top.
  const Row* find(uint32_t word, bool wide, const Config& config) const;
  const std::vector<Row>& rows() const { return m_rows; }

 private:
  Isa();
  static bool implemented(const Row& row, const Config& config);
  static unsigned bucket(uint32_t word, bool wide) {
    return wide ? 64 + (word >> 20 & 0x1ff) : word >> 10 & 63;
  }
  std::vector<Row> m_rows;
  std::vector<std::vector<uint16_t>> m_buckets;
};

/// Sets the fields, and the handler where the row leaves it open. False: reserved, undefined.
bool fields(const Row& row, uint32_t word, bool in_it, Decoded& op);
/// The handler of a data-processing operation; `operand` of DataOperand.
enum class DataOperand : uint8_t { kImm, kImmCarry, kReg, kLsl, kLsr, kAsr, kRor, kRrx };
Handler data_handler(Op op, DataOperand operand, bool sets_flags);
Handler shift_handler(Op op, bool sets_flags);
Handler conditional_branch(unsigned condition);
Handler guard(unsigned condition);

// The families.
const std::vector<Row>& narrow_rows();
const std::vector<Row>& data_rows();
const std::vector<Row>& multiply_rows();
const std::vector<Row>& parallel_rows();
const std::vector<Row>& memory_rows();
const std::vector<Row>& branch_rows();
const std::vector<Row>& system_rows();
const std::vector<Row>& float_rows();
const std::vector<Row>& float_move_rows();

}  // namespace presil::cpu
