// F: single precision.
#include "models/dsp/dsp_float.h"
#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_scalar.h"

namespace presil::dsp {
namespace {

// A rounding mode of 7 is frm's; 5 and 6, there or in the instruction, are illegal.
bool rounding_of(const Hart& h, const Decoded* o, Rounding& rounding) {
  const uint8_t rm = o->rm == 7 ? h.frm : o->rm;
  rounding = static_cast<Rounding>(rm);
  return rm <= kRmm;
}

/// A meaning: what a float operation does to f registers a, b, c, or to an x register.
#define MEANING(Name, type, expression)                                       \
  struct Name {                                                               \
    static type f([[maybe_unused]] Binary32& m, [[maybe_unused]] uint32_t a,  \
                  [[maybe_unused]] uint32_t b, [[maybe_unused]] uint32_t c) { \
      return static_cast<type>(expression);                                   \
    }                                                                         \
  };
MEANING(Add, uint32_t, m.add(a, b))
MEANING(Sub, uint32_t, m.sub(a, b))
MEANING(Mul, uint32_t, m.mul(a, b))
MEANING(Div, uint32_t, m.div(a, b))
MEANING(Sqrt, uint32_t, m.sqrt(a))
// Negation of a NaN operand changes nothing: any NaN gives the canonical one.
MEANING(Madd, uint32_t, m.fma(a, b, c))
MEANING(Msub, uint32_t, m.fma(a, b, c ^ 0x80000000))
MEANING(Nmsub, uint32_t, m.fma(a ^ 0x80000000, b, c))
MEANING(Nmadd, uint32_t, m.fma(a ^ 0x80000000, b, c ^ 0x80000000))
MEANING(Sgnj, uint32_t, (a & 0x7fffffff) | (b & 0x80000000))
MEANING(Sgnjn, uint32_t, (a & 0x7fffffff) | (~b & 0x80000000))
MEANING(Sgnjx, uint32_t, a ^ (b & 0x80000000))
MEANING(Min, uint32_t, m.min(a, b))
MEANING(Max, uint32_t, m.max(a, b))
MEANING(Eq, uint64_t, m.eq(a, b))
MEANING(Lt, uint64_t, m.lt(a, b))
MEANING(Le, uint64_t, m.le(a, b))
MEANING(Classify, uint64_t, classify(a))
MEANING(Bits, uint64_t, sext(a))
MEANING(ToW, uint64_t, m.to_signed(a, 32))
MEANING(ToWu, uint64_t, sext(static_cast<uint32_t>(m.to_unsigned(a, 32))))
MEANING(ToL, uint64_t, m.to_signed(a, 64))
MEANING(ToLu, uint64_t, m.to_unsigned(a, 64))
#undef MEANING

struct FromBits {
  static uint32_t f(Binary32&, uint64_t a) { return static_cast<uint32_t>(a); }
};
struct FromW {
  static uint32_t f(Binary32& m, uint64_t a) { return m.from_signed(s32(a)); }
};
struct FromWu {
  static uint32_t f(Binary32& m, uint64_t a) { return m.from_unsigned(u32(a)); }
};
struct FromL {
  static uint32_t f(Binary32& m, uint64_t a) { return m.from_signed(s64(a)); }
};
struct FromLu {
  static uint32_t f(Binary32& m, uint64_t a) { return m.from_unsigned(a); }
};

// The operations that do not round have fixed bits where others have a rounding mode.
template <class F, bool rounds>
Decoded* to_f(Hart& h, Decoded* o) {
  Rounding rounding = kRne;
  if (rounds && !rounding_of(h, o, rounding)) return trap(h, o, Cause::kIllegal, 0);
  Binary32 m(rounding);
  h.f[o->rd] = F::f(m, h.f[o->rs1], h.f[o->rs2], h.f[o->rs3]);
  h.fflags |= m.flags();
  return o + 1;
}

template <class F, bool rounds>
Decoded* to_x(Hart& h, Decoded* o) {
  Rounding rounding = kRne;
  if (rounds && !rounding_of(h, o, rounding)) return trap(h, o, Cause::kIllegal, 0);
  Binary32 m(rounding);
  h.x[o->rd] = F::f(m, h.f[o->rs1], h.f[o->rs2], 0);
  h.fflags |= m.flags();
  return o + 1;
}

template <class F, bool rounds>
Decoded* from_x(Hart& h, Decoded* o) {
  Rounding rounding = kRne;
  if (rounds && !rounding_of(h, o, rounding)) return trap(h, o, Cause::kIllegal, 0);
  Binary32 m(rounding);
  h.f[o->rd] = F::f(m, h.x[o->rs1]);
  h.fflags |= m.flags();
  return o + 1;
}

Decoded* flw(Hart& h, Decoded* o) {
  const uint64_t address = h.x[o->rs1] + static_cast<uint64_t>(o->imm);
  const Memory::Hit* hit = nullptr;
  const uint8_t* bytes = h.memory.quick<uint32_t, kRead>(address, hit);
  if (bytes != nullptr) {
    std::memcpy(&h.f[o->rd], bytes, 4);
    if (hit->space != Space::kTcm) wait_for_far_load(h, o, hit->space, 4);
    return o + 1;
  }
  uint64_t value = 0;
  Decoded* next = load_slowly(h, o, address, 4, value);
  if (next != nullptr) h.f[o->rd] = u32(value);
  return next;
}

Decoded* fsw(Hart& h, Decoded* o) {
  const uint64_t address = h.x[o->rs1] + static_cast<uint64_t>(o->imm);
  const Memory::Hit* hit = nullptr;
  uint8_t* bytes = h.memory.quick<uint32_t, kWrite>(address, hit);
  if (bytes == nullptr) return store_slowly(h, o, address, 4, h.f[o->rs2]);
  std::memcpy(bytes, &h.f[o->rs2], 4);
  count_far_store(h, o, hit->space, 4);
  return o + 1;
}

constexpr uint32_t kMaskF = 0xfe00007f, kMaskF4 = 0x0600007f, kMaskFUnary = 0xfff0007f;

}  // namespace

const std::vector<ScalarRow>& float_rows() {
  constexpr Class kFloat = Class::kFloat, kDivide = Class::kFloatDivide;
  static const std::vector<ScalarRow> rows = {
      {"flw", 0x2007, kMaskI, "D, l", Class::kLoad, flw},
      {"fsw", 0x2027, kMaskI, "T, k", Class::kStore, fsw},
      {"fmadd.s", 0x43, kMaskF4, "D, S, T, Rr", kFloat, to_f<Madd, true>},
      {"fmsub.s", 0x47, kMaskF4, "D, S, T, Rr", kFloat, to_f<Msub, true>},
      {"fnmsub.s", 0x4b, kMaskF4, "D, S, T, Rr", kFloat, to_f<Nmsub, true>},
      {"fnmadd.s", 0x4f, kMaskF4, "D, S, T, Rr", kFloat, to_f<Nmadd, true>},
      {"fadd.s", 0x00000053, kMaskF, "D, S, Tr", kFloat, to_f<Add, true>},
      {"fsub.s", 0x08000053, kMaskF, "D, S, Tr", kFloat, to_f<Sub, true>},
      {"fmul.s", 0x10000053, kMaskF, "D, S, Tr", kFloat, to_f<Mul, true>},
      {"fdiv.s", 0x18000053, kMaskF, "D, S, Tr", kDivide, to_f<Div, true>},
      {"fsqrt.s", 0x58000053, kMaskFUnary, "D, Sr", kDivide, to_f<Sqrt, true>},
      {"fsgnj.s", 0x20000053, kMaskR, "D, S, T", kFloat, to_f<Sgnj, false>},
      {"fsgnjn.s", 0x20001053, kMaskR, "D, S, T", kFloat, to_f<Sgnjn, false>},
      {"fsgnjx.s", 0x20002053, kMaskR, "D, S, T", kFloat, to_f<Sgnjx, false>},
      {"fmin.s", 0x28000053, kMaskR, "D, S, T", kFloat, to_f<Min, false>},
      {"fmax.s", 0x28001053, kMaskR, "D, S, T", kFloat, to_f<Max, false>},
      {"feq.s", 0xa0002053, kMaskR, "d, S, T", kFloat, to_x<Eq, false>},
      {"flt.s", 0xa0001053, kMaskR, "d, S, T", kFloat, to_x<Lt, false>},
      {"fle.s", 0xa0000053, kMaskR, "d, S, T", kFloat, to_x<Le, false>},
      {"fclass.s", 0xe0001053, kMaskUnary, "d, S", kFloat, to_x<Classify, false>},
      {"fmv.x.w", 0xe0000053, kMaskUnary, "d, S", kFloat, to_x<Bits, false>},
      {"fcvt.w.s", 0xc0000053, kMaskFUnary, "d, Sr", kFloat, to_x<ToW, true>},
      {"fcvt.wu.s", 0xc0100053, kMaskFUnary, "d, Sr", kFloat, to_x<ToWu, true>},
      {"fcvt.l.s", 0xc0200053, kMaskFUnary, "d, Sr", kFloat, to_x<ToL, true>},
      {"fcvt.lu.s", 0xc0300053, kMaskFUnary, "d, Sr", kFloat, to_x<ToLu, true>},
      {"fmv.w.x", 0xf0000053, kMaskUnary, "D, s", kFloat, from_x<FromBits, false>},
      {"fcvt.s.w", 0xd0000053, kMaskFUnary, "D, sr", kFloat, from_x<FromW, true>},
      {"fcvt.s.wu", 0xd0100053, kMaskFUnary, "D, sr", kFloat, from_x<FromWu, true>},
      {"fcvt.s.l", 0xd0200053, kMaskFUnary, "D, sr", kFloat, from_x<FromL, true>},
      {"fcvt.s.lu", 0xd0300053, kMaskFUnary, "D, sr", kFloat, from_x<FromLu, true>},
  };
  return rows;
}

}  // namespace presil::dsp
