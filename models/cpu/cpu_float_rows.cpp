// Floating-point instructions: the host's unit where it must agree (round to nearest, no flush to
// zero, inexact already set, a result that is normal), cpu_float otherwise.
#include <cmath>

#include "models/cpu/cpu_float.h"
#include "models/cpu/cpu_scalar.h"

namespace presil::cpu {
namespace {

using soft::Float;
using soft::Rounding;

float f32(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

// Modes as the host has them, and nothing left to tell but what a result itself shows.
bool is_plain(const Hart& h) {
  constexpr uint32_t kAsked = kFpFlush | 3u << 22 | kFpInexact;
  return (h.fpscr & kAsked) == kFpInexact;
}
// Normal, and not the smallest one, which may have been tiny before it was rounded.
bool is_normal(uint32_t bits) {
  return (bits >> 23 & 255) - 2u < 253u;
}

uint32_t add(Hart& h, uint32_t a, uint32_t b) {
  const uint32_t r = bits_of(f32(a) + f32(b));
  if (__builtin_expect(is_plain(h) && (is_normal(r) || r << 1 == 0), 1)) return r;
  return Float(h.fpscr).add(a, b);
}
uint32_t multiply(Hart& h, uint32_t a, uint32_t b) {
  const uint32_t r = bits_of(f32(a) * f32(b));
  const bool zero = r << 1 == 0 && (a << 1 == 0 || b << 1 == 0);
  if (__builtin_expect(is_plain(h) && (is_normal(r) || zero), 1)) return r;
  return Float(h.fpscr).multiply(a, b);
}
uint32_t multiply_add(Hart& h, uint32_t c, uint32_t a, uint32_t b) {
  if (__builtin_expect(is_plain(h), 1)) {
    const uint32_t r = bits_of(std::fma(f32(a), f32(b), f32(c)));
    if (is_normal(r)) return r;
  }
  return Float(h.fpscr).multiply_add(c, a, b);
}

constexpr uint32_t kMinus = 1u << 31;

#define FLOAT(name, expression)                                                     \
  Decoded* name(Hart& h, Decoded* o) {                                              \
    [[maybe_unused]] const uint32_t n = h.s[o->rn], m = h.s[o->rm], d = h.s[o->rd]; \
    h.s[o->rd] = expression;                                                        \
    PRESIL_CPU_NEXT(h, o + 1);                                                      \
  }
FLOAT(vadd, add(h, n, m))
// the sign of a NaN that is subtracted stays
uint32_t subtract(Hart& h, uint32_t a, uint32_t b) {
  const bool nan = (b & 0x7fffffff) > 0x7f800000;
  return add(h, a, nan ? b : b ^ kMinus);
}
FLOAT(vsub, subtract(h, n, m))
FLOAT(vmul, multiply(h, n, m))
FLOAT(vnmul, multiply(h, n, m) ^ kMinus)
FLOAT(vmla, add(h, d, multiply(h, n, m)))
FLOAT(vmls, add(h, d, multiply(h, n, m) ^ kMinus))
FLOAT(vnmla, add(h, d ^ kMinus, multiply(h, n, m) ^ kMinus))
FLOAT(vnmls, add(h, d ^ kMinus, multiply(h, n, m)))
FLOAT(vfma, multiply_add(h, d, n, m))
FLOAT(vfms, multiply_add(h, d, n ^ kMinus, m))
FLOAT(vfnma, multiply_add(h, d ^ kMinus, n ^ kMinus, m))
FLOAT(vfnms, multiply_add(h, d ^ kMinus, n, m))
FLOAT(vdiv, [&] {
  const uint32_t r = bits_of(f32(n) / f32(m));
  return is_plain(h) && is_normal(r) && m << 1 != 0 ? r : Float(h.fpscr).divide(n, m);
}())
FLOAT(vsqrt, [&] {
  if (!is_plain(h) || m >= 0x7f800000 || m < 0x00800000) return Float(h.fpscr).root(m);
  return bits_of(std::sqrt(f32(m)));
}())
FLOAT(vabs, m & ~kMinus)
FLOAT(vneg, m ^ kMinus)
FLOAT(vmov, m)
FLOAT(vmov_immediate, o->imm)
FLOAT(vmaxnm, Float(h.fpscr).maximum(n, m, false))
FLOAT(vminnm, Float(h.fpscr).maximum(n, m, true))

template <unsigned condition>
FLOAT(vsel, holds<condition>(h) ? n : m)

template <bool zero, bool signals>
Decoded* vcmp(Hart& h, Decoded* o) {
  const uint32_t flags = Float(h.fpscr).compare(h.s[o->rd], zero ? 0 : h.s[o->rm], signals);
  h.fpscr = (h.fpscr & ~kFpFlags) | flags;
  PRESIL_CPU_NEXT(h, o + 1);
}

// Direction 5: the mode of FPSCR.
template <unsigned rounding>
Rounding mode(Hart& h) {
  return rounding == 5 ? Float(h.fpscr).rounding() : static_cast<Rounding>(rounding);
}
constexpr unsigned kNear = 0, kUp = 1, kDown = 2, kToZero = 3, kAway = 4, kOfFpscr = 5;
template <unsigned rounding, bool tells>
FLOAT(vrint, Float(h.fpscr).round_to_integral(m, mode<rounding>(h), tells))
template <unsigned rounding, bool is_signed>
FLOAT(to_integer, Float(h.fpscr).to_integer(m, 0, 32, is_signed, mode<rounding>(h)))
FLOAT(from_unsigned, Float(h.fpscr).from_integer(m, 0, Float(h.fpscr).rounding()))
    FLOAT(from_signed, Float(h.fpscr).from_integer(s64(m), 0, Float(h.fpscr).rounding()))

        template <bool is_signed, bool wide>
        FLOAT(from_fixed,
              Float(h.fpscr).from_integer(wide ? (is_signed ? s64(d) : int64_t{d})
                                               : (is_signed ? int64_t{static_cast<int16_t>(d)}
                                                            : int64_t{static_cast<uint16_t>(d)}),
                                          o->imm, Rounding::kNearest))
        template <bool is_signed, bool wide>
        FLOAT(to_fixed,
              Float(h.fpscr).to_integer(d, o->imm, wide ? 32 : 16, is_signed, Rounding::kZero))

        template <bool top>
        FLOAT(from_half, Float(h.fpscr).from_half(static_cast<uint16_t>(top ? m >> 16 : m)))
        template <bool top>
        FLOAT(to_half, [&] {
          const uint32_t half = Float(h.fpscr).to_half(m);
          return top ? (d & 0xffff) | half << 16 : (d & 0xffff0000) | half;
        }())

}  // namespace

const std::vector<Row>& float_rows() {
  constexpr Form k3 = Form::kFloat3, k2 = Form::kFloat2, kX = Form::kFloatFixed;
  constexpr Class kF = Class::kFloat, kMA = Class::kFloatMultiplyAdd;
  constexpr uint16_t kN = kNeedsFpu, k5 = kNeedsFpu | kNeedsFpv5;
  constexpr uint32_t kMask3 = 0xffb00f50, kMask2 = 0xffbf0fd0;
  static const std::vector<Row> rows = {
      {"vmla", 0xee000a00, kMask3, k3, kMA, vmla, kN},
      {"vmls", 0xee000a40, kMask3, k3, kMA, vmls, kN},
      {"vnmls", 0xee100a00, kMask3, k3, kMA, vnmls, kN},
      {"vnmla", 0xee100a40, kMask3, k3, kMA, vnmla, kN},
      {"vmul", 0xee200a00, kMask3, k3, kF, vmul, kN},
      {"vnmul", 0xee200a40, kMask3, k3, kF, vnmul, kN},
      {"vadd", 0xee300a00, kMask3, k3, kF, vadd, kN},
      {"vsub", 0xee300a40, kMask3, k3, kF, vsub, kN},
      {"vdiv", 0xee800a00, kMask3, k3, Class::kFloatDivide, vdiv, kN},
      {"vfnms", 0xee900a00, kMask3, k3, kMA, vfnms, kN},
      {"vfnma", 0xee900a40, kMask3, k3, kMA, vfnma, kN},
      {"vfma", 0xeea00a00, kMask3, k3, kMA, vfma, kN},
      {"vfms", 0xeea00a40, kMask3, k3, kMA, vfms, kN},
      {"vmov", 0xeeb00a00, 0xffb00ff0, Form::kFloatImm, kF, vmov_immediate, kN},
      {"vmov", 0xeeb00a40, kMask2, k2, kF, vmov, kN},
      {"vabs", 0xeeb00ac0, kMask2, k2, kF, vabs, kN},
      {"vneg", 0xeeb10a40, kMask2, k2, kF, vneg, kN},
      {"vsqrt", 0xeeb10ac0, kMask2, k2, Class::kFloatRoot, vsqrt, kN},
      {"vcvtb.f32.f16", 0xeeb20a40, kMask2, k2, kF, from_half<false>, kN},
      {"vcvtt.f32.f16", 0xeeb20ac0, kMask2, k2, kF, from_half<true>, kN},
      {"vcvtb.f16.f32", 0xeeb30a40, kMask2, k2, kF, to_half<false>, kN},
      {"vcvtt.f16.f32", 0xeeb30ac0, kMask2, k2, kF, to_half<true>, kN},
      {"vcmp", 0xeeb40a40, kMask2, k2, kF, vcmp<false, false>, kN},
      {"vcmpe", 0xeeb40ac0, kMask2, k2, kF, vcmp<false, true>, kN},
      {"vcmp0", 0xeeb50a40, 0xffbf0fff, k2, kF, vcmp<true, false>, kN},
      {"vcmpe0", 0xeeb50ac0, 0xffbf0fff, k2, kF, vcmp<true, true>, kN},
      {"vrintr", 0xeeb60a40, kMask2, k2, kF, vrint<kOfFpscr, false>, k5},
      {"vrintz", 0xeeb60ac0, kMask2, k2, kF, vrint<kToZero, false>, k5},
      {"vrintx", 0xeeb70a40, kMask2, k2, kF, vrint<kOfFpscr, true>, k5},
      {"vcvt.f32.u32", 0xeeb80a40, kMask2, k2, kF, from_unsigned, kN},
      {"vcvt.f32.s32", 0xeeb80ac0, kMask2, k2, kF, from_signed, kN},
      {"vcvtr.u32", 0xeebc0a40, kMask2, k2, kF, to_integer<kOfFpscr, false>, kN},
      {"vcvt.u32", 0xeebc0ac0, kMask2, k2, kF, to_integer<kToZero, false>, kN},
      {"vcvtr.s32", 0xeebd0a40, kMask2, k2, kF, to_integer<kOfFpscr, true>, kN},
      {"vcvt.s32", 0xeebd0ac0, kMask2, k2, kF, to_integer<kToZero, true>, kN},
      {"vcvt.f32.s16", 0xeeba0a40, kMask2, kX, kF, from_fixed<true, false>, kN},
      {"vcvt.f32.s32x", 0xeeba0ac0, kMask2, kX, kF, from_fixed<true, true>, kN},
      {"vcvt.f32.u16", 0xeebb0a40, kMask2, kX, kF, from_fixed<false, false>, kN},
      {"vcvt.f32.u32x", 0xeebb0ac0, kMask2, kX, kF, from_fixed<false, true>, kN},
      {"vcvt.s16", 0xeebe0a40, kMask2, kX, kF, to_fixed<true, false>, kN},
      {"vcvt.s32x", 0xeebe0ac0, kMask2, kX, kF, to_fixed<true, true>, kN},
      {"vcvt.u16", 0xeebf0a40, kMask2, kX, kF, to_fixed<false, false>, kN},
      {"vcvt.u32x", 0xeebf0ac0, kMask2, kX, kF, to_fixed<false, true>, kN},
      {"vseleq", 0xfe000a00, kMask3, k3, kF, vsel<0>, k5},
      {"vselvs", 0xfe100a00, kMask3, k3, kF, vsel<6>, k5},
      {"vselge", 0xfe200a00, kMask3, k3, kF, vsel<10>, k5},
      {"vselgt", 0xfe300a00, kMask3, k3, kF, vsel<12>, k5},
      {"vmaxnm", 0xfe800a00, kMask3, k3, kF, vmaxnm, k5},
      {"vminnm", 0xfe800a40, kMask3, k3, kF, vminnm, k5},
      {"vrinta", 0xfeb80a40, kMask2, k2, kF, vrint<kAway, false>, k5},
      {"vrintn", 0xfeb90a40, kMask2, k2, kF, vrint<kNear, false>, k5},
      {"vrintp", 0xfeba0a40, kMask2, k2, kF, vrint<kUp, false>, k5},
      {"vrintm", 0xfebb0a40, kMask2, k2, kF, vrint<kDown, false>, k5},
      {"vcvta.u32", 0xfebc0a40, kMask2, k2, kF, to_integer<kAway, false>, k5},
      {"vcvta.s32", 0xfebc0ac0, kMask2, k2, kF, to_integer<kAway, true>, k5},
      {"vcvtn.u32", 0xfebd0a40, kMask2, k2, kF, to_integer<kNear, false>, k5},
      {"vcvtn.s32", 0xfebd0ac0, kMask2, k2, kF, to_integer<kNear, true>, k5},
      {"vcvtp.u32", 0xfebe0a40, kMask2, k2, kF, to_integer<kUp, false>, k5},
      {"vcvtp.s32", 0xfebe0ac0, kMask2, k2, kF, to_integer<kUp, true>, k5},
      {"vcvtm.u32", 0xfebf0a40, kMask2, k2, kF, to_integer<kDown, false>, k5},
      {"vcvtm.s32", 0xfebf0ac0, kMask2, k2, kF, to_integer<kDown, true>, k5},
  };
  return rows;
}

}  // namespace presil::cpu
