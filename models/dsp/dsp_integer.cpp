// RV64I, M, Zba and Zbb.
#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_scalar.h"
#include "models/dsp/dsp_wide.h"

namespace presil::dsp {
namespace {

#define MEANING PRESIL_DSP_MEANING
MEANING(Add, a + b)
MEANING(Sub, a - b)
MEANING(Sll, a << (b & 63))
MEANING(Slt, s64(a) < s64(b))
MEANING(Sltu, a < b)
MEANING(Xor, a ^ b)
MEANING(Srl, a >> (b & 63))
MEANING(Sra, s64(a) >> (b & 63))
MEANING(Or, a | b)
MEANING(And, a& b)
MEANING(Addw, sext(u32(a + b)))
MEANING(Subw, sext(u32(a - b)))
MEANING(Sllw, sext(u32(a) << (b & 31)))
MEANING(Srlw, sext(u32(a) >> (b & 31)))
MEANING(Sraw, s32(a) >> (b & 31))
MEANING(Lui, b)

MEANING(Eq, a == b)
MEANING(Ne, a != b)
MEANING(Ge, s64(a) >= s64(b))
MEANING(Geu, a >= b)

MEANING(Mul, a* b)
MEANING(Mulh, static_cast<SignedWide>(s64(a)) * s64(b) >> 64)
MEANING(Mulhsu, static_cast<SignedWide>(s64(a)) * static_cast<SignedWide>(b) >> 64)
MEANING(Mulhu, static_cast<Wide>(a) * b >> 64)
MEANING(Mulw, sext(u32(a) * u32(b)))
// Division by zero gives all ones and the dividend; the least by -1 gives the least and 0.
MEANING(Div, b == 0 ? ~uint64_t{0} : b == ~uint64_t{0} ? 0 - a : s64(a) / s64(b))
MEANING(Divu, b == 0 ? ~uint64_t{0} : a / b)
MEANING(Rem, b == 0 ? a : b == ~uint64_t{0} ? 0 : s64(a) % s64(b))
MEANING(Remu, b == 0 ? a : a % b)
MEANING(Divw, u32(b) == 0 ? -1 : s32(b) == -1 ? sext(0 - u32(a)) : int64_t{s32(a) / s32(b)})
MEANING(Divuw, u32(b) == 0 ? -1 : sext(u32(a) / u32(b)))
MEANING(Remw, u32(b) == 0 ? s32(a) : s32(b) == -1 ? 0 : s32(a) % s32(b))
MEANING(Remuw, sext(u32(b) == 0 ? u32(a) : u32(a) % u32(b)))

MEANING(AddUw, u32(a) + b)
MEANING(Sh1add, (a << 1) + b)
MEANING(Sh2add, (a << 2) + b)
MEANING(Sh3add, (a << 3) + b)
MEANING(Sh1addUw, (uint64_t{u32(a)} << 1) + b)
MEANING(Sh2addUw, (uint64_t{u32(a)} << 2) + b)
MEANING(Sh3addUw, (uint64_t{u32(a)} << 3) + b)
MEANING(SlliUw, uint64_t{u32(a)} << (b & 63))

MEANING(Andn, a & ~b)
MEANING(Orn, a | ~b)
MEANING(Xnor, ~(a ^ b))
MEANING(Clz, a == 0 ? 64 : __builtin_clzll(a))
MEANING(Clzw, u32(a) == 0 ? 32 : __builtin_clz(u32(a)))
MEANING(Ctz, a == 0 ? 64 : __builtin_ctzll(a))
MEANING(Ctzw, u32(a) == 0 ? 32 : __builtin_ctz(u32(a)))
MEANING(Cpop, __builtin_popcountll(a))
MEANING(Cpopw, __builtin_popcount(u32(a)))
MEANING(Max, s64(a) > s64(b) ? a : b)
MEANING(Maxu, a > b ? a : b)
MEANING(Min, s64(a) < s64(b) ? a : b)
MEANING(Minu, a < b ? a : b)
MEANING(SextB, static_cast<int8_t>(a))
MEANING(SextH, static_cast<int16_t>(a))
MEANING(ZextH, a & 0xffff)
MEANING(Rol, a << (b & 63) | a >> (-b & 63))
MEANING(Ror, a >> (b & 63) | a << (-b & 63))
MEANING(Rolw, sext(u32(a) << (b & 31) | u32(a) >> (-b & 31)))
MEANING(Rorw, sext(u32(a) >> (b & 31) | u32(a) << (-b & 31)))
MEANING(Rev8, __builtin_bswap64(a))

struct OrcB {  // a byte that has a bit becomes all ones
  static uint64_t f(uint64_t a, uint64_t) {
    constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
    const uint64_t top = (((a & kLow) + kLow) | a) & ~kLow;
    return (top >> 7) * 255;
  }
};
#undef MEANING

Decoded* auipc(Hart& h, Decoded* o) {
  h.x[o->rd] = o->pc + static_cast<uint64_t>(o->imm);
  PRESIL_DSP_NEXT(h, o + 1);
}

Decoded* jal(Hart& h, Decoded* o) {
  h.x[o->rd] = uint64_t{o->pc} + o->length;
  return leave(h, o, 1, o->pc + static_cast<uint64_t>(o->imm), o->at);
}

// The block where it went last is its exit; another target is looked up.
Decoded* jalr(Hart& h, Decoded* o) {
  const uint64_t pc = (h.x[o->rs1] + static_cast<uint64_t>(o->imm)) & ~uint64_t{1};
  h.x[o->rd] = uint64_t{o->pc} + o->length;
  if (o->exit[1].next != nullptr && o->exit[1].next->pc != pc) o->exit[1].next = nullptr;
  return leave(h, o, 1, pc, o->at);
}

constexpr Class kAlu = Class::kAlu, kMul = Class::kMultiply;

}  // namespace

const std::vector<ScalarRow>& integer_rows() {
  static const std::vector<ScalarRow> rows = {
      {"lui", 0x37, kMaskOpcode, "d, u", kAlu, reg_imm<Lui>},
      {"auipc", 0x17, kMaskOpcode, "d, u", kAlu, auipc},
      {"jal", 0x6f, kMaskOpcode, "d, j", Class::kJump, jal},
      {"jalr", 0x67, kMaskI, "d, l", Class::kJumpRegister, jalr},
      {"beq", 0x0063, kMaskI, "s, t, b", Class::kBranch, branch<Eq>},
      {"bne", 0x1063, kMaskI, "s, t, b", Class::kBranch, branch<Ne>},
      {"blt", 0x4063, kMaskI, "s, t, b", Class::kBranch, branch<Slt>},
      {"bge", 0x5063, kMaskI, "s, t, b", Class::kBranch, branch<Ge>},
      {"bltu", 0x6063, kMaskI, "s, t, b", Class::kBranch, branch<Sltu>},
      {"bgeu", 0x7063, kMaskI, "s, t, b", Class::kBranch, branch<Geu>},
      {"lb", 0x0003, kMaskI, "d, l", Class::kLoad, load<int8_t>},
      {"lh", 0x1003, kMaskI, "d, l", Class::kLoad, load<int16_t>},
      {"lw", 0x2003, kMaskI, "d, l", Class::kLoad, load<int32_t>},
      {"ld", 0x3003, kMaskI, "d, l", Class::kLoad, load<int64_t>},
      {"lbu", 0x4003, kMaskI, "d, l", Class::kLoad, load<uint8_t>},
      {"lhu", 0x5003, kMaskI, "d, l", Class::kLoad, load<uint16_t>},
      {"lwu", 0x6003, kMaskI, "d, l", Class::kLoad, load<uint32_t>},
      {"sb", 0x0023, kMaskI, "t, k", Class::kStore, store<uint8_t>},
      {"sh", 0x1023, kMaskI, "t, k", Class::kStore, store<uint16_t>},
      {"sw", 0x2023, kMaskI, "t, k", Class::kStore, store<uint32_t>},
      {"sd", 0x3023, kMaskI, "t, k", Class::kStore, store<uint64_t>},
      {"addi", 0x0013, kMaskI, "d, s, i", kAlu, reg_imm<Add>},
      {"slti", 0x2013, kMaskI, "d, s, i", kAlu, reg_imm<Slt>},
      {"sltiu", 0x3013, kMaskI, "d, s, i", kAlu, reg_imm<Sltu>},
      {"xori", 0x4013, kMaskI, "d, s, i", kAlu, reg_imm<Xor>},
      {"ori", 0x6013, kMaskI, "d, s, i", kAlu, reg_imm<Or>},
      {"andi", 0x7013, kMaskI, "d, s, i", kAlu, reg_imm<And>},
      {"slli", 0x00001013, kMaskShift, "d, s, 6", kAlu, reg_imm<Sll>},
      {"srli", 0x00005013, kMaskShift, "d, s, 6", kAlu, reg_imm<Srl>},
      {"srai", 0x40005013, kMaskShift, "d, s, 6", kAlu, reg_imm<Sra>},
      {"add", 0x00000033, kMaskR, "d, s, t", kAlu, reg_reg<Add>},
      {"sub", 0x40000033, kMaskR, "d, s, t", kAlu, reg_reg<Sub>},
      {"sll", 0x00001033, kMaskR, "d, s, t", kAlu, reg_reg<Sll>},
      {"slt", 0x00002033, kMaskR, "d, s, t", kAlu, reg_reg<Slt>},
      {"sltu", 0x00003033, kMaskR, "d, s, t", kAlu, reg_reg<Sltu>},
      {"xor", 0x00004033, kMaskR, "d, s, t", kAlu, reg_reg<Xor>},
      {"srl", 0x00005033, kMaskR, "d, s, t", kAlu, reg_reg<Srl>},
      {"sra", 0x40005033, kMaskR, "d, s, t", kAlu, reg_reg<Sra>},
      {"or", 0x00006033, kMaskR, "d, s, t", kAlu, reg_reg<Or>},
      {"and", 0x00007033, kMaskR, "d, s, t", kAlu, reg_reg<And>},
      {"addiw", 0x001b, kMaskI, "d, s, i", kAlu, reg_imm<Addw>},
      {"slliw", 0x0000101b, kMaskR, "d, s, 5", kAlu, reg_imm<Sllw>},
      {"srliw", 0x0000501b, kMaskR, "d, s, 5", kAlu, reg_imm<Srlw>},
      {"sraiw", 0x4000501b, kMaskR, "d, s, 5", kAlu, reg_imm<Sraw>},
      {"addw", 0x0000003b, kMaskR, "d, s, t", kAlu, reg_reg<Addw>},
      {"subw", 0x4000003b, kMaskR, "d, s, t", kAlu, reg_reg<Subw>},
      {"sllw", 0x0000103b, kMaskR, "d, s, t", kAlu, reg_reg<Sllw>},
      {"srlw", 0x0000503b, kMaskR, "d, s, t", kAlu, reg_reg<Srlw>},
      {"sraw", 0x4000503b, kMaskR, "d, s, t", kAlu, reg_reg<Sraw>},
  };
  return rows;
}

const std::vector<ScalarRow>& multiply_rows() {
  static const std::vector<ScalarRow> rows = {
      {"mul", 0x02000033, kMaskR, "d, s, t", kMul, reg_reg<Mul>},
      {"mulh", 0x02001033, kMaskR, "d, s, t", kMul, reg_reg<Mulh>},
      {"mulhsu", 0x02002033, kMaskR, "d, s, t", kMul, reg_reg<Mulhsu>},
      {"mulhu", 0x02003033, kMaskR, "d, s, t", kMul, reg_reg<Mulhu>},
      {"div", 0x02004033, kMaskR, "d, s, t", Class::kDivide64, reg_reg<Div>},
      {"divu", 0x02005033, kMaskR, "d, s, t", Class::kDivide64, reg_reg<Divu>},
      {"rem", 0x02006033, kMaskR, "d, s, t", Class::kDivide64, reg_reg<Rem>},
      {"remu", 0x02007033, kMaskR, "d, s, t", Class::kDivide64, reg_reg<Remu>},
      {"mulw", 0x0200003b, kMaskR, "d, s, t", kMul, reg_reg<Mulw>},
      {"divw", 0x0200403b, kMaskR, "d, s, t", Class::kDivide32, reg_reg<Divw>},
      {"divuw", 0x0200503b, kMaskR, "d, s, t", Class::kDivide32, reg_reg<Divuw>},
      {"remw", 0x0200603b, kMaskR, "d, s, t", Class::kDivide32, reg_reg<Remw>},
      {"remuw", 0x0200703b, kMaskR, "d, s, t", Class::kDivide32, reg_reg<Remuw>},
  };
  return rows;
}

const std::vector<ScalarRow>& bit_rows() {
  static const std::vector<ScalarRow> rows = {
      {"add.uw", 0x0800003b, kMaskR, "d, s, t", kAlu, reg_reg<AddUw>},
      {"sh1add", 0x20002033, kMaskR, "d, s, t", kAlu, reg_reg<Sh1add>},
      {"sh2add", 0x20004033, kMaskR, "d, s, t", kAlu, reg_reg<Sh2add>},
      {"sh3add", 0x20006033, kMaskR, "d, s, t", kAlu, reg_reg<Sh3add>},
      {"sh1add.uw", 0x2000203b, kMaskR, "d, s, t", kAlu, reg_reg<Sh1addUw>},
      {"sh2add.uw", 0x2000403b, kMaskR, "d, s, t", kAlu, reg_reg<Sh2addUw>},
      {"sh3add.uw", 0x2000603b, kMaskR, "d, s, t", kAlu, reg_reg<Sh3addUw>},
      {"slli.uw", 0x0800101b, kMaskShift, "d, s, 6", kAlu, reg_imm<SlliUw>},
      {"andn", 0x40007033, kMaskR, "d, s, t", kAlu, reg_reg<Andn>},
      {"orn", 0x40006033, kMaskR, "d, s, t", kAlu, reg_reg<Orn>},
      {"xnor", 0x40004033, kMaskR, "d, s, t", kAlu, reg_reg<Xnor>},
      {"clz", 0x60001013, kMaskUnary, "d, s", kAlu, reg_imm<Clz>},
      {"ctz", 0x60101013, kMaskUnary, "d, s", kAlu, reg_imm<Ctz>},
      {"cpop", 0x60201013, kMaskUnary, "d, s", kAlu, reg_imm<Cpop>},
      {"sext.b", 0x60401013, kMaskUnary, "d, s", kAlu, reg_imm<SextB>},
      {"sext.h", 0x60501013, kMaskUnary, "d, s", kAlu, reg_imm<SextH>},
      {"clzw", 0x6000101b, kMaskUnary, "d, s", kAlu, reg_imm<Clzw>},
      {"ctzw", 0x6010101b, kMaskUnary, "d, s", kAlu, reg_imm<Ctzw>},
      {"cpopw", 0x6020101b, kMaskUnary, "d, s", kAlu, reg_imm<Cpopw>},
      {"zext.h", 0x0800403b, kMaskUnary, "d, s", kAlu, reg_imm<ZextH>},
      {"rev8", 0x6b805013, kMaskUnary, "d, s", kAlu, reg_imm<Rev8>},
      {"orc.b", 0x28705013, kMaskUnary, "d, s", kAlu, reg_imm<OrcB>},
      {"max", 0x0a006033, kMaskR, "d, s, t", kAlu, reg_reg<Max>},
      {"maxu", 0x0a007033, kMaskR, "d, s, t", kAlu, reg_reg<Maxu>},
      {"min", 0x0a004033, kMaskR, "d, s, t", kAlu, reg_reg<Min>},
      {"minu", 0x0a005033, kMaskR, "d, s, t", kAlu, reg_reg<Minu>},
      {"rol", 0x60001033, kMaskR, "d, s, t", kAlu, reg_reg<Rol>},
      {"ror", 0x60005033, kMaskR, "d, s, t", kAlu, reg_reg<Ror>},
      {"rori", 0x60005013, kMaskShift, "d, s, 6", kAlu, reg_imm<Ror>},
      {"rolw", 0x6000103b, kMaskR, "d, s, t", kAlu, reg_reg<Rolw>},
      {"rorw", 0x6000503b, kMaskR, "d, s, t", kAlu, reg_reg<Rorw>},
      {"roriw", 0x6000501b, kMaskR, "d, s, 5", kAlu, reg_imm<Rorw>},
  };
  return rows;
}

}  // namespace presil::dsp
