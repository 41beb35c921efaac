// Multiplication, division, extension, bit fields, saturation: rows of 32 bits without the parallel
// ones of the DSP extension.
#include "models/cpu/cpu_families.h"
#include "models/cpu/cpu_scalar.h"
#include "models/cpu/cpu_system.h"

namespace presil::cpu {
namespace {

// Rd of a meaning of n, m, a (registers) and o (fields).
#define PRESIL_CPU_MEANING(name, expression)                                        \
  Decoded* name(Hart& h, Decoded* o) {                                              \
    [[maybe_unused]] const uint32_t n = h.r[o->rn], m = h.r[o->rm], a = h.r[o->ra]; \
    h.r[o->rd] = static_cast<uint32_t>(expression);                                 \
    PRESIL_CPU_NEXT(h, o + 1);                                                      \
  }
#define MEANING PRESIL_CPU_MEANING

template <bool top>
int64_t half(uint32_t a) {
  return static_cast<int16_t>(top ? a >> 16 : a);
}

// An accumulation that overflows 32 bits sets Q.
uint32_t overflowing(Hart& h, int64_t value) {
  if (value != static_cast<int32_t>(value)) h.q = 1;
  return static_cast<uint32_t>(value);
}

uint64_t on_top(uint32_t a) {
  return uint64_t{a} << 32;
}
uint64_t product(uint32_t n, uint32_t m) {
  return static_cast<uint64_t>(s64(n) * s64(m));
}

MEANING(mul, n* m)
MEANING(mla, a + n * m)
MEANING(mls, a - n * m)
MEANING(smmul, (s64(n) * s64(m)) >> 32)
MEANING(smmulr, (s64(n) * s64(m) + 0x80000000) >> 32)
MEANING(smmla, (on_top(a) + product(n, m)) >> 32)
MEANING(smmlar, (on_top(a) + product(n, m) + 0x80000000) >> 32)
MEANING(smmls, (on_top(a) - product(n, m)) >> 32)
MEANING(smmlsr, (on_top(a) - product(n, m) + 0x80000000) >> 32)

template <bool x, bool y>
MEANING(smulxy, half<x>(n) * half<y>(m))
template <bool x, bool y>
MEANING(smlaxy, overflowing(h, half<x>(n) * half<y>(m) + s64(a)))
template <bool y>
MEANING(smulwy, s64(n) * half<y>(m) >> 16)
template <bool y>
MEANING(smlawy, overflowing(h, (s64(n) * half<y>(m) >> 16) + s64(a)))

// Dual products: with X the halves of the second operand change places.
template <bool x>
int64_t bottom(uint32_t n, uint32_t m) {
  return half<false>(n) * half<x>(m);
}
template <bool x>
int64_t top(uint32_t n, uint32_t m) {
  return half<true>(n) * half<!x>(m);
}
template <bool x>
MEANING(smuad, overflowing(h, bottom<x>(n, m) + top<x>(n, m)))
template <bool x>
MEANING(smusd, bottom<x>(n, m) - top<x>(n, m))
template <bool x>
MEANING(smlad, overflowing(h, bottom<x>(n, m) + top<x>(n, m) + s64(a)))
template <bool x>
MEANING(smlsd, overflowing(h, bottom<x>(n, m) - top<x>(n, m) + s64(a)))

template <class F>
Decoded* wide(Hart& h, Decoded* o) {
  const uint64_t before = uint64_t{h.r[o->rd]} << 32 | h.r[o->ra];
  const uint64_t r = F::f(h.r[o->rn], h.r[o->rm], before);
  h.r[o->ra] = static_cast<uint32_t>(r);
  h.r[o->rd] = static_cast<uint32_t>(r >> 32);
  PRESIL_CPU_NEXT(h, o + 1);
}
#define WIDE(Name, expression)                                               \
  struct Name {                                                              \
    static uint64_t f(uint32_t n, uint32_t m, [[maybe_unused]] uint64_t a) { \
      return static_cast<uint64_t>(expression);                              \
    }                                                                        \
  };
WIDE(Smull, s64(n) * s64(m))
WIDE(Umull, uint64_t{n} * m)
WIDE(Smlal, a + static_cast<uint64_t>(s64(n) * s64(m)))
WIDE(Umlal, a + uint64_t{n} * m)
WIDE(Umaal, uint64_t{n} * m + (a & 0xffffffff) + (a >> 32))
template <bool x, bool y>
WIDE(Smlalxy, a + static_cast<uint64_t>(half<x>(n) * half<y>(m)))
template <bool x>
WIDE(Smlald, a + static_cast<uint64_t>(bottom<x>(n, m) + top<x>(n, m)))
template <bool x>
WIDE(Smlsld, a + static_cast<uint64_t>(bottom<x>(n, m) - top<x>(n, m)))
#undef WIDE

// The divider ends early: by the difference of leading zeros, as its manual's note has it.
void wait_for_divider(Hart& h, uint32_t n, uint32_t m) {
  const Timing& t = h.config.timing;
  if (t.divide_most == t.divide_least || n < m || m == 0) return;
  const int bits = __builtin_clz(m) - __builtin_clz(n | 1);
  const unsigned more = bits <= 0 ? 1 : 1 + static_cast<unsigned>(bits) / 4;
  h.cycle += more < t.divide_most - t.divide_least ? more : t.divide_most - t.divide_least;
}

Decoded* sdiv(Hart& h, Decoded* o) {
  const uint32_t n = h.r[o->rn], m = h.r[o->rm];
  if (m == 0 && h.system->traps_divide_by_zero()) return fault(h, *o, Fault::kDivideByZero);
  wait_for_divider(h, s32(n) < 0 ? -n : n, s32(m) < 0 ? -m : m);
  h.r[o->rd] = m == 0 ? 0 : static_cast<uint32_t>(s64(n) / s64(m));
  PRESIL_CPU_NEXT(h, o + 1);
}
Decoded* udiv(Hart& h, Decoded* o) {
  const uint32_t n = h.r[o->rn], m = h.r[o->rm];
  if (m == 0 && h.system->traps_divide_by_zero()) return fault(h, *o, Fault::kDivideByZero);
  wait_for_divider(h, n, m);
  h.r[o->rd] = m == 0 ? 0 : n / m;
  PRESIL_CPU_NEXT(h, o + 1);
}

MEANING(movt, (h.r[o->rd] & 0xffff) | o->imm << 16)
MEANING(sbfx, s32(n << (31 - o->extra - o->imm)) >> (31 - o->imm))
MEANING(ubfx, n << (31 - o->extra - o->imm) >> (31 - o->imm))
Decoded* bfi(Hart& h, Decoded* o) {
  const unsigned width = o->imm - o->extra + 1;
  const uint32_t mask = (width == 32 ? ~0u : (1u << width) - 1) << o->extra;
  const uint32_t n = o->rn == 15 ? 0 : h.r[o->rn];
  h.r[o->rd] = (h.r[o->rd] & ~mask) | (n << o->extra & mask);
  PRESIL_CPU_NEXT(h, o + 1);
}

MEANING(clz, m == 0 ? 32 : __builtin_clz(m))
MEANING(rev, __builtin_bswap32(m))
MEANING(rev16, (m << 8 & 0xff00ff00) | (m >> 8 & 0x00ff00ff))
MEANING(revsh, static_cast<int16_t>(__builtin_bswap16(static_cast<uint16_t>(m))))
MEANING(rbit, [](uint32_t x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(x);
}(m))

// Rotated, then extended; added to Rn unless that is 15.
uint32_t base(const Hart& h, const Decoded* o) {
  return o->rn == 15 ? 0 : h.r[o->rn];
}
MEANING(xtah, base(h, o) + static_cast<uint32_t>(static_cast<int16_t>(rotated(m, o->extra))))
MEANING(uxtah, base(h, o) + (rotated(m, o->extra) & 0xffff))
MEANING(xtab, base(h, o) + static_cast<uint32_t>(static_cast<int8_t>(rotated(m, o->extra))))
MEANING(uxtab, base(h, o) + (rotated(m, o->extra) & 0xff))
uint32_t add_halves(uint32_t a, uint32_t low, uint32_t high) {
  return ((a + low) & 0xffff) | ((a >> 16) + high) << 16;
}
MEANING(sxtab16,
        add_halves(base(h, o), static_cast<uint32_t>(static_cast<int8_t>(rotated(m, o->extra))),
                   static_cast<uint32_t>(static_cast<int8_t>(rotated(m, o->extra) >> 16))))
MEANING(uxtab16,
        add_halves(base(h, o), rotated(m, o->extra) & 0xff, rotated(m, o->extra) >> 16 & 0xff))

int64_t clamped(Hart& h, int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most) return value;
  h.q = 1;
  return value < least ? least : most;
}
int64_t shifted_operand(const Hart& h, const Decoded* o) {
  const uint32_t n = h.r[o->rn];
  return o->mode != 0 ? s32(n) >> o->extra : s32(n << o->extra);
}
MEANING(ssat,
        clamped(h, shifted_operand(h, o), -(int64_t{1} << o->imm), (int64_t{1} << o->imm) - 1))
MEANING(usat, clamped(h, shifted_operand(h, o), 0, (int64_t{1} << o->imm) - 1))
MEANING(ssat16,
        (static_cast<uint32_t>(clamped(h, half<false>(n), -(1 << o->imm), (1 << o->imm) - 1)) &
         0xffff) |
            static_cast<uint32_t>(clamped(h, half<true>(n), -(1 << o->imm), (1 << o->imm) - 1))
                << 16)
MEANING(usat16, static_cast<uint32_t>(clamped(h, half<false>(n), 0, (1 << o->imm) - 1)) |
                    static_cast<uint32_t>(clamped(h, half<true>(n), 0, (1 << o->imm) - 1)) << 16)

int64_t saturated(Hart& h, int64_t value) {
  return clamped(h, value, INT32_MIN, INT32_MAX);
}
MEANING(qadd, saturated(h, s64(m) + s64(n)))
MEANING(qsub, saturated(h, s64(m) - s64(n)))
MEANING(qdadd, saturated(h, s64(m) + saturated(h, 2 * s64(n))))
MEANING(qdsub, saturated(h, s64(m) - saturated(h, 2 * s64(n))))

}  // namespace

Decoded* multiply_low(Hart& h, Decoded* o) {
  h.r[o->rd] *= h.r[o->rm];
  PRESIL_CPU_NEXT(h, o + 1);
}
Decoded* multiply_low_flags(Hart& h, Decoded* o) {
  h.set_nz(h.r[o->rd] *= h.r[o->rm]);
  PRESIL_CPU_NEXT(h, o + 1);
}
MEANING(extend_s16, static_cast<int16_t>(m))
MEANING(extend_s8, static_cast<int8_t>(m))
MEANING(extend_u16, m & 0xffff)
MEANING(extend_u8, m & 0xff)
MEANING(reverse, __builtin_bswap32(m))
MEANING(reverse_halves, (m << 8 & 0xff00ff00) | (m >> 8 & 0x00ff00ff))
MEANING(reverse_signed, static_cast<int16_t>(__builtin_bswap16(static_cast<uint16_t>(m))))

const std::vector<Row>& multiply_rows() {
  constexpr Form k3 = Form::kThree, k4 = Form::kFour, kL = Form::kLong, kX = Form::kRotated;
  constexpr Class kM = Class::kMultiply, kML = Class::kMultiplyLong, kA = Class::kAlu;
  constexpr uint32_t kMask3 = 0xfff0f0f0, kMask4 = 0xfff000f0;
  constexpr uint16_t kD = kNeedsDsp;
  static const std::vector<Row> rows = {
      {"movw", 0xf2400000, 0xfbf08000, Form::kMoveImm16, kA, nullptr},
      {"movt", 0xf2c00000, 0xfbf08000, Form::kMoveImm16, kA, movt},
      {"ssat16", 0xf3200000, 0xfff0f0f0, Form::kSaturate16, kA, ssat16, kD},
      {"usat16", 0xf3a00000, 0xfff0f0f0, Form::kSaturate16, kA, usat16, kD},
      {"ssat", 0xf3000000, 0xffd08020, Form::kSaturate, kA, ssat},
      {"usat", 0xf3800000, 0xffd08020, Form::kSaturate, kA, usat},
      {"sbfx", 0xf3400000, 0xfff08020, Form::kBitField, kA, sbfx},
      {"ubfx", 0xf3c00000, 0xfff08020, Form::kBitField, kA, ubfx},
      {"bfi", 0xf3600000, 0xfff08020, Form::kBitField, kA, bfi, 0, Op::kNone, nullptr, 1},
      {"mul", 0xfb00f000, kMask3, k3, kM, mul},
      {"mla", 0xfb000000, kMask4, k4, kM, mla},
      {"mls", 0xfb000010, kMask4, k4, kM, mls},
      {"smulbb", 0xfb10f000, kMask3, k3, kM, smulxy<false, false>, kD},
      {"smulbt", 0xfb10f010, kMask3, k3, kM, smulxy<false, true>, kD},
      {"smultb", 0xfb10f020, kMask3, k3, kM, smulxy<true, false>, kD},
      {"smultt", 0xfb10f030, kMask3, k3, kM, smulxy<true, true>, kD},
      {"smlabb", 0xfb100000, kMask4, k4, kM, smlaxy<false, false>, kD},
      {"smlabt", 0xfb100010, kMask4, k4, kM, smlaxy<false, true>, kD},
      {"smlatb", 0xfb100020, kMask4, k4, kM, smlaxy<true, false>, kD},
      {"smlatt", 0xfb100030, kMask4, k4, kM, smlaxy<true, true>, kD},
      {"smuad", 0xfb20f000, kMask3, k3, kM, smuad<false>, kD},
      {"smuadx", 0xfb20f010, kMask3, k3, kM, smuad<true>, kD},
      {"smlad", 0xfb200000, kMask4, k4, kM, smlad<false>, kD},
      {"smladx", 0xfb200010, kMask4, k4, kM, smlad<true>, kD},
      {"smulwb", 0xfb30f000, kMask3, k3, kM, smulwy<false>, kD},
      {"smulwt", 0xfb30f010, kMask3, k3, kM, smulwy<true>, kD},
      {"smlawb", 0xfb300000, kMask4, k4, kM, smlawy<false>, kD},
      {"smlawt", 0xfb300010, kMask4, k4, kM, smlawy<true>, kD},
      {"smusd", 0xfb40f000, kMask3, k3, kM, smusd<false>, kD},
      {"smusdx", 0xfb40f010, kMask3, k3, kM, smusd<true>, kD},
      {"smlsd", 0xfb400000, kMask4, k4, kM, smlsd<false>, kD},
      {"smlsdx", 0xfb400010, kMask4, k4, kM, smlsd<true>, kD},
      {"smmul", 0xfb50f000, kMask3, k3, kM, smmul, kD},
      {"smmulr", 0xfb50f010, kMask3, k3, kM, smmulr, kD},
      {"smmla", 0xfb500000, kMask4, k4, kM, smmla, kD},
      {"smmlar", 0xfb500010, kMask4, k4, kM, smmlar, kD},
      {"smmls", 0xfb600000, kMask4, k4, kM, smmls, kD},
      {"smmlsr", 0xfb600010, kMask4, k4, kM, smmlsr, kD},
      {"smull", 0xfb800000, kMask4, kL, kML, wide<Smull>},
      {"umull", 0xfba00000, kMask4, kL, kML, wide<Umull>},
      {"smlal", 0xfbc00000, kMask4, kL, kML, wide<Smlal>},
      {"umlal", 0xfbe00000, kMask4, kL, kML, wide<Umlal>},
      {"umaal", 0xfbe00060, kMask4, kL, kML, wide<Umaal>, kD},
      {"smlalbb", 0xfbc00080, kMask4, kL, kML, wide<Smlalxy<false, false>>, kD},
      {"smlalbt", 0xfbc00090, kMask4, kL, kML, wide<Smlalxy<false, true>>, kD},
      {"smlaltb", 0xfbc000a0, kMask4, kL, kML, wide<Smlalxy<true, false>>, kD},
      {"smlaltt", 0xfbc000b0, kMask4, kL, kML, wide<Smlalxy<true, true>>, kD},
      {"smlald", 0xfbc000c0, kMask4, kL, kML, wide<Smlald<false>>, kD},
      {"smlaldx", 0xfbc000d0, kMask4, kL, kML, wide<Smlald<true>>, kD},
      {"smlsld", 0xfbd000c0, kMask4, kL, kML, wide<Smlsld<false>>, kD},
      {"smlsldx", 0xfbd000d0, kMask4, kL, kML, wide<Smlsld<true>>, kD},
      {"sdiv", 0xfb90f0f0, kMask3, k3, Class::kDivide, sdiv},
      {"udiv", 0xfbb0f0f0, kMask3, k3, Class::kDivide, udiv},
      {"clz", 0xfab0f080, kMask3, Form::kTwo, kA, clz},
      {"rev", 0xfa90f080, kMask3, Form::kTwo, kA, rev},
      {"rev16", 0xfa90f090, kMask3, Form::kTwo, kA, rev16},
      {"rbit", 0xfa90f0a0, kMask3, Form::kTwo, kA, rbit},
      {"revsh", 0xfa90f0b0, kMask3, Form::kTwo, kA, revsh},
      {"sxtah", 0xfa00f080, 0xfff0f0c0, kX, kA, xtah},
      {"uxtah", 0xfa10f080, 0xfff0f0c0, kX, kA, uxtah},
      {"sxtab16", 0xfa20f080, 0xfff0f0c0, kX, kA, sxtab16, kD},
      {"uxtab16", 0xfa30f080, 0xfff0f0c0, kX, kA, uxtab16, kD},
      {"sxtab", 0xfa40f080, 0xfff0f0c0, kX, kA, xtab},
      {"uxtab", 0xfa50f080, 0xfff0f0c0, kX, kA, uxtab},
      {"qadd", 0xfa80f080, kMask3, k3, kA, qadd, kD},
      {"qdadd", 0xfa80f090, kMask3, k3, kA, qdadd, kD},
      {"qsub", 0xfa80f0a0, kMask3, k3, kA, qsub, kD},
      {"qdsub", 0xfa80f0b0, kMask3, k3, kA, qdsub, kD},
  };
  return rows;
}

}  // namespace presil::cpu
