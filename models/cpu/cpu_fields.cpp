// Fields of an instruction, as its form says where they lie.
#include "models/cpu/cpu_scalar.h"

namespace presil::cpu {
namespace {

// The constant of i:imm3:imm8. Returns false where it leaves the carry as it is.
bool expand(uint32_t imm12, uint32_t& value, uint8_t& carry) {
  const uint32_t low = imm12 & 255;
  if (imm12 >> 10 == 0) {
    constexpr uint32_t kCopies[4] = {1, 0x00010001, 0x01000100, 0x01010101};
    value = low * kCopies[imm12 >> 8];
    return false;
  }
  value = rotated(0x80 | low, imm12 >> 7);
  carry = static_cast<uint8_t>(value >> 31);
  return true;
}

DataOperand shift_of(unsigned type, unsigned amount, uint8_t& extra) {
  extra = static_cast<uint8_t>(amount);
  switch (type) {
    case 0:
      return amount == 0 ? DataOperand::kReg : DataOperand::kLsl;
    case 1:
    case 2:
      if (amount == 0) extra = 32;
      return type == 1 ? DataOperand::kLsr : DataOperand::kAsr;
    default:
      return amount == 0 ? DataOperand::kRrx : DataOperand::kRor;
  }
}

// All but the stack pointer and the program counter, which most 32-bit encodings do not take.
bool usual(unsigned r) {
  return r != 13 && r != 15;
}

uint32_t imm12_of(uint32_t w) {
  return (w >> 26 & 1) << 11 | (w >> 12 & 7) << 8 | (w & 255);
}

uint32_t sign_extended(uint32_t value, unsigned bits) {
  return static_cast<uint32_t>(static_cast<int32_t>(value << (32 - bits)) >> (32 - bits));
}

uint32_t float_constant(uint32_t imm8) {
  const uint32_t b = imm8 >> 6 & 1;
  return imm8 >> 7 << 31 | (b ^ 1) << 30 | (b != 0 ? 0x1fu : 0) << 25 | (imm8 & 63) << 19;
}

bool narrow(const Row& row, uint32_t w, bool in_it, Decoded& op) {
  const bool s = (row.flags & kFlagsOutsideIt) != 0 ? !in_it : (row.flags & kSetsFlags) != 0;
  const auto low = [w](unsigned at) { return static_cast<uint8_t>(w >> at & 7); };
  const uint32_t base = (op.pc + 4) & ~3u;
  switch (row.form) {
    case Form::kNone:
      return true;
    case Form::kShiftImm: {
      op.rd = low(0), op.rm = low(3);
      const unsigned type = row.op == Op::kLsl ? 0 : row.op == Op::kLsr ? 1 : 2;
      op.run = data_handler(Op::kMov, shift_of(type, w >> 6 & 31, op.extra), s);
      return true;
    }
    case Form::kLow3:
      op.rd = low(0), op.rn = low(3), op.rm = low(6);
      op.run = data_handler(row.op, DataOperand::kReg, s);
      return true;
    case Form::kLowImm3:
      op.rd = low(0), op.rn = low(3), op.imm = low(6);
      op.run = data_handler(row.op, DataOperand::kImm, s);
      return true;
    case Form::kLowImm8:
      op.rd = op.rn = low(8), op.imm = w & 255;
      op.run = data_handler(row.op, DataOperand::kImm, s);
      return true;
    case Form::kLow2:
      op.rd = op.rn = low(0), op.rm = low(3);
      if (op.run != nullptr) {  // MULS
        if (s) op.run = row.accesses->at(1);
      } else if (row.op >= Op::kLsl) {
        op.run = shift_handler(row.op, s);
      } else {
        op.run = data_handler(row.op, DataOperand::kReg, s);
      }
      return true;
    case Form::kLowNegate:
      op.rd = low(0), op.rn = low(3);
      op.run = data_handler(Op::kRsb, DataOperand::kImm, s);
      return true;
    case Form::kHigh2:
      op.rd = op.rn = static_cast<uint8_t>((w >> 4 & 8) | (w & 7));
      op.rm = w >> 3 & 15;
      if (op.rd == 15) {
        if (op.rm == 15 || row.op == Op::kCmp) return false;
        op.imm = row.op == Op::kAdd ? op.pc + 4 : 0;
        return true;  // the row's handler writes pc
      }
      op.imm = op.pc + 4;
      op.run = data_handler(row.op, op.rm == 15 ? DataOperand::kImm : DataOperand::kReg, s);
      return row.op != Op::kCmp || op.rm != 15;
    case Form::kBranchReg:
      op.rm = w >> 3 & 15;
      return op.rm != 15;
    case Form::kLiteral16:
      op.rd = low(8), op.imm = base + (w & 255) * 4;
      op.run = row.accesses->at(static_cast<size_t>(Address::kLiteral));
      return true;
    case Form::kLoadReg16:
      op.rd = low(0), op.rn = low(3), op.rm = low(6);
      op.run = row.accesses->at(static_cast<size_t>(Address::kRegister));
      return true;
    case Form::kLoadImm16:
      op.rd = low(0), op.rn = low(3), op.imm = (w >> 6 & 31) * row.size;
      op.run = row.accesses->at(static_cast<size_t>(Address::kOffset));
      return true;
    case Form::kStackImm8:
      op.rd = low(8), op.rn = 13, op.imm = (w & 255) * 4;
      op.run = row.accesses != nullptr ? row.accesses->at(static_cast<size_t>(Address::kOffset))
                                       : data_handler(Op::kAdd, DataOperand::kImm, false);
      return true;
    case Form::kAdr16:
      op.rd = low(8), op.imm = base + (w & 255) * 4;
      op.run = data_handler(Op::kMov, DataOperand::kImm, false);
      return true;
    case Form::kStackImm7:
      op.rd = op.rn = 13, op.imm = (w & 127) * 4;
      op.run = data_handler(row.op, DataOperand::kImm, false);
      return true;
    case Form::kCompareBranch:
      op.rn = low(0), op.imm = op.pc + 4 + ((w >> 9 & 1) << 6 | (w >> 3 & 31) << 1);
      return !in_it;
    case Form::kExtend16:
      op.rd = low(0), op.rm = low(3);
      return true;
    case Form::kPush:
      op.rn = 13, op.imm = (w & 255) | (w >> 8 & 1) << 14;
      return op.imm != 0;
    case Form::kPop:
      op.rn = 13, op.imm = (w & 255) | (w >> 8 & 1) << 15;
      return op.imm != 0;
    case Form::kMultiple16:
      op.rn = low(8), op.imm = w & 255;
      // LDM writes the base back unless it is in the list
      op.mode = row.cls == Class::kStoreMultiple || (op.imm >> op.rn & 1) == 0 ? 1 : 0;
      return op.imm != 0;
    case Form::kBranchCond16:
      op.imm = op.pc + 4 + sign_extended(w & 255, 8) * 2;
      op.run = conditional_branch(w >> 8 & 15);
      return !in_it;
    case Form::kBranch16:
      op.imm = op.pc + 4 + sign_extended(w & 0x7ff, 11) * 2;
      return true;
    case Form::kImm8:
      op.imm = w & 255;
      return true;
    default:
      return false;
  }
}

bool single_access(const Row& row, uint32_t w, Decoded& op) {
  op.rd = w >> 12 & 15, op.rn = w >> 16 & 15;
  Address mode = Address::kOffset;
  switch (row.form) {
    case Form::kLiteral32:
      op.imm = ((op.pc + 4) & ~3u) + ((w >> 23 & 1) != 0 ? w & 0xfff : -(w & 0xfff));
      mode = Address::kLiteral;
      break;
    case Form::kLoadImm12:
      op.imm = w & 0xfff;
      break;
    case Form::kLoadReg32:
      op.rm = w & 15, op.extra = w >> 4 & 3;
      mode = Address::kRegister;
      if (op.rm == 13 || op.rm == 15) return false;
      break;
    default: {
      const bool p = (w >> 10 & 1) != 0, u = (w >> 9 & 1) != 0, write = (w >> 8 & 1) != 0;
      if (!p && !write) return false;
      op.imm = u ? w & 255 : -(w & 255);
      mode = !p ? Address::kPost : write ? Address::kPre : Address::kOffset;
      if (p && u && !write) op.mode = 1;  // LDRT, STRT
      if (write && op.rn == op.rd) return false;
    }
  }
  if (mode != Address::kLiteral && op.rn == 15) return false;
  op.run = row.accesses->at(static_cast<size_t>(mode));
  if (op.run == nullptr) return false;
  if (row.cls == Class::kStore && op.rd == 15) return false;
  return op.rd != 13 || row.size == 4;
}

bool vfp(const Row& row, uint32_t w, Decoded& op) {
  const auto single = [w](unsigned at, unsigned low) {
    return static_cast<uint8_t>((w >> at & 15) << 1 | (w >> low & 1));
  };
  op.rd = single(12, 22);
  op.rn = single(16, 7);
  op.rm = single(0, 5);
  switch (row.form) {
    case Form::kFloat3:
    case Form::kFloat2:
      return true;
    case Form::kFloatImm:
      op.imm = float_constant((w >> 12 & 0xf0) | (w & 15));
      return true;
    case Form::kFloatFixed: {
      // fraction bits: size less imm4:i; more than the size is not defined
      const uint32_t size = (w >> 7 & 1) != 0 ? 32 : 16;
      op.imm = size - ((w & 15) << 1 | (w >> 5 & 1));
      return op.imm <= size;
    }
    case Form::kFloatLoad:
    case Form::kFloatMultiple: {
      const bool is_double = (w >> 8 & 1) != 0, up = (w >> 23 & 1) != 0;
      op.rn = w >> 16 & 15;
      if (is_double) op.rd = static_cast<uint8_t>((w >> 12 & 15) << 1);
      if (is_double && (w >> 22 & 1) != 0) return false;  // D16 to D31
      op.extra = static_cast<uint8_t>(is_double ? 2 : 1);
      op.imm = (w & 255) * 4;
      if (row.form == Form::kFloatLoad) {
        if (!up) op.imm = -op.imm;
        if (op.rn == 15) {
          if ((w >> 20 & 1) == 0) return false;
          op.imm += (op.pc + 4) & ~3u;
          op.mode = 1;
        }
        return true;
      }
      op.extra = w & 255;
      const bool write = (w >> 21 & 1) != 0, before = (w >> 24 & 1) != 0;
      op.mode = static_cast<uint8_t>((write ? 1 : 0) | (before ? 2 : 0));
      if (op.rn == 15 || before == up || (before && !write)) return false;
      if (is_double && (op.extra & 1) != 0) return false;  // FLDMX, FSTMX
      return op.extra != 0 && op.rd + op.extra <= 32;
    }
    case Form::kFloatMovePair:
      op.ra = w >> 12 & 15, op.rn = w >> 16 & 15;
      if ((w >> 8 & 1) != 0) op.rm = static_cast<uint8_t>((w & 15) << 1);
      if ((w >> 8 & 1) != 0 && (w >> 5 & 1) != 0) return false;
      op.mode = w >> 20 & 1;
      if (op.mode == 1 && op.ra == op.rn) return false;
      return op.ra != 13 && op.ra != 15 && op.rn != 13 && op.rn != 15 && op.rm < 31;
    case Form::kFloatMoveCore:
      op.rd = w >> 12 & 15;
      return op.rd != 13 && op.rd != 15;
    case Form::kFloatMoveHalf:
      op.rd = w >> 12 & 15;
      op.rn = static_cast<uint8_t>((w >> 16 & 15) << 1 | (w >> 21 & 1));
      return op.rd != 13 && op.rd != 15 && (w >> 7 & 1) == 0;
    default:
      op.rd = w >> 12 & 15;
      return op.rd != 13;
  }
}

bool branch_offset(uint32_t w, bool conditional, Decoded& op) {
  const uint32_t s = w >> 26 & 1, j1 = w >> 13 & 1, j2 = w >> 11 & 1, imm11 = w & 0x7ff;
  const uint32_t offset =
      conditional
          ? sign_extended(s << 20 | j2 << 19 | j1 << 18 | (w >> 16 & 63) << 12 | imm11 << 1, 21)
          : sign_extended(s << 24 | (j1 ^ s ^ 1) << 23 | (j2 ^ s ^ 1) << 22 |
                              (w >> 16 & 0x3ff) << 12 | imm11 << 1,
                          25);
  op.imm = op.pc + 4 + offset;
  return true;
}

}  // namespace

bool fields(const Row& row, uint32_t w, bool in_it, Decoded& op) {
  op.run = row.run;
  if (row.form < Form::kDataImm) return narrow(row, w, in_it, op);
  if (row.form >= Form::kFloat3) return vfp(row, w, op);
  op.rn = w >> 16 & 15, op.rd = w >> 8 & 15, op.rm = w & 15, op.ra = w >> 12 & 15;
  const bool s = (w >> 20 & 1) != 0;
  const unsigned imm5 = (w >> 12 & 7) << 2 | (w >> 6 & 3);
  const bool compares = row.op >= Op::kTst && row.op <= Op::kCmn;
  const bool unary = row.op == Op::kMov || row.op == Op::kMvn;
  switch (row.form) {
    case Form::kDataImm: {
      const bool sets_carry = expand(imm12_of(w), op.imm, op.extra);
      if ((op.rd == 15 && !compares) || (op.rn == 15 && !unary)) return false;
      op.run = data_handler(row.op, sets_carry ? DataOperand::kImmCarry : DataOperand::kImm, s);
      return true;
    }
    case Form::kDataReg: {
      const DataOperand kind = shift_of(w >> 4 & 3, imm5, op.extra);
      if ((op.rd == 15 && !compares) || (op.rn == 15 && !unary) || op.rm == 15) return false;
      op.run = data_handler(row.op, kind, s);
      return true;
    }
    case Form::kPlainImm12:
      op.imm = imm12_of(w);
      if (op.rn == 15) {  // ADR
        const uint32_t base = (op.pc + 4) & ~3u;
        op.imm = row.op == Op::kAdd ? base + op.imm : base - op.imm;
      }
      op.run = data_handler(op.rn == 15 ? Op::kMov : row.op, DataOperand::kImm, false);
      return op.rd != 15;
    case Form::kMoveImm16:
      op.imm = (w >> 16 & 15) << 12 | imm12_of(w);
      if (op.run == nullptr) op.run = data_handler(Op::kMov, DataOperand::kImm, false);
      return op.rd != 15 && op.rd != 13;
    case Form::kShiftReg:
      op.run = shift_handler(row.op, s);
      return usual(op.rd) && usual(op.rn) && usual(op.rm);
    case Form::kBitField:
      op.extra = static_cast<uint8_t>(imm5), op.imm = w & 31;
      // BFI, BFC: the last bit; the others: the width less 1
      if (row.size == 1 ? op.imm < imm5 : imm5 + op.imm > 31) return false;
      return usual(op.rd) && (usual(op.rn) || (row.size == 1 && op.rn == 15));
    case Form::kSaturate:
      op.extra = static_cast<uint8_t>(imm5), op.imm = w & 31;
      op.mode = w >> 21 & 1;
      if (op.mode == 1 && op.extra == 0) return false;  // SSAT16, USAT16
      return usual(op.rd) && usual(op.rn);
    case Form::kSaturate16:
      op.imm = w & 15;
      return usual(op.rd) && usual(op.rn);
    case Form::kThree:
      return usual(op.rd) && usual(op.rn) && usual(op.rm);
    case Form::kFour:
      return usual(op.rd) && usual(op.rn) && usual(op.rm) && usual(op.ra);
    case Form::kLong:
      return usual(op.rd) && usual(op.rn) && usual(op.rm) && usual(op.ra) && op.ra != op.rd;
    case Form::kRotated:
      op.extra = static_cast<uint8_t>((w >> 4 & 3) * 8);
      return usual(op.rd) && usual(op.rm) && (usual(op.rn) || op.rn == 15);
    case Form::kTwo:
      return usual(op.rd) && usual(op.rm) && op.rn == op.rm;
    case Form::kLoadImm12:
    case Form::kLoadImm8:
    case Form::kLoadReg32:
    case Form::kLiteral32:
      return single_access(row, w, op);
    case Form::kDual: {
      const bool p = (w >> 24 & 1) != 0, u = (w >> 23 & 1) != 0, write = (w >> 21 & 1) != 0;
      op.rd = w >> 12 & 15, op.ra = w >> 8 & 15;
      op.imm = u ? (w & 255) * 4 : -((w & 255) * 4);
      const Address mode = !p ? Address::kPost : write ? Address::kPre : Address::kOffset;
      const bool load = row.cls == Class::kLoadMultiple;
      if (!p && !write) return false;
      if (op.rd == 13 || op.rd == 15 || op.ra == 13 || op.ra == 15) return false;
      if (load && op.rd == op.ra) return false;
      if (write && (op.rn == op.rd || op.rn == op.ra)) return false;
      op.run = row.accesses->at(static_cast<size_t>(mode));
      if (op.rn != 15) return true;
      op.imm += (op.pc + 4) & ~3u;
      op.run = row.accesses->at(static_cast<size_t>(Address::kLiteral));
      return load && !write && p;
    }
    case Form::kExclusiveLoad:
    case Form::kExclusiveStore: {
      op.imm = (w & 255) * 4, op.rd = w >> 12 & 15, op.ra = w >> 8 & 15;
      const bool store = row.form == Form::kExclusiveStore;
      if (op.rd == 13 || op.rd == 15 || op.rn == 15) return false;
      return store ? usual(op.ra) && op.ra != op.rd && op.ra != op.rn : op.ra == 15;
    }
    case Form::kOrdered:
      op.rd = w >> 12 & 15, op.ra = w & 15;
      if (op.rd == 13 || op.rd == 15 || op.rn == 15) return false;
      return op.ra == 15 ||
             (row.op == Op::kTst && usual(op.ra) && op.ra != op.rd && op.ra != op.rn);
    case Form::kTable:
      return op.rn != 13 && op.rm != 13 && op.rm != 15;
    case Form::kMultiple32: {
      op.imm = w & 0xffff;
      const bool load = row.cls == Class::kLoadMultiple, write = (w >> 21 & 1) != 0;
      op.mode = write ? 1 : 0;
      if (op.rn == 15 || (op.imm & 1u << 13) != 0 || (op.imm & (op.imm - 1)) == 0) return false;
      if (write && (op.imm >> op.rn & 1) != 0) return false;
      return load ? (op.imm >> 14) != 3 : (op.imm >> 15) == 0;
    }
    case Form::kBranchCond32:
      op.run = conditional_branch(w >> 22 & 15);
      return !in_it && branch_offset(w, true, op);
    case Form::kBranch32:
      return branch_offset(w, false, op);
    case Form::kSpecialRead:
      op.imm = w & 255;
      return usual(op.rd);
    case Form::kSpecialWrite:
      op.imm = w & 255, op.extra = w >> 10 & 3;
      return usual(op.rn);
    default:
      return true;
  }
}

}  // namespace presil::cpu
