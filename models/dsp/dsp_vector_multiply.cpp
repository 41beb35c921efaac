// Vector multiplication, division, multiply-add, and arithmetic to twice the width.
#include "models/dsp/dsp_families.h"

namespace presil::dsp::PRESIL_DSP_LANES {
namespace {

#define MEANING(Name, expression)        \
  struct Name {                          \
    template <class T>                   \
    static T f(T a, T b) {               \
      return static_cast<T>(expression); \
    }                                    \
  };
MEANING(Mul, Free<T>(a) * Free<T>(b))
// High halves, up to SEW 32: Zve64 has none of 64.
MEANING(Mulh, Double<T>(Double<T>(a) * Double<T>(b)) >> kBits<T>)
MEANING(Mulhsu, Double<T>(Double<T>(a) * Double<T>(Unsigned<T>(b))) >> kBits<T>)
// By zero: all ones, and the dividend; the least by -1: the least, and 0.
MEANING(Divu, b == 0 ? kMost<T> : T(a / (b == 0 ? T(1) : b)))
MEANING(Remu, b == 0 ? a : T(a % (b == 0 ? T(1) : b)))
MEANING(Div, b == 0 ? T(-1) : b == T(-1) ? T(Free<T>(0) - Free<T>(a)) : T(a / b))
MEANING(Rem, b == 0 ? a : b == T(-1) ? T(0) : T(a % b))
#undef MEANING

/// Of vd's element d, vs2's a, vs1's b.
#define MEANING(Name, expression)                \
  struct Name {                                  \
    template <class T>                           \
    static T f([[maybe_unused]] T d, T a, T b) { \
      return static_cast<T>(expression);         \
    }                                            \
  };
MEANING(Macc, Free<T>(b) * Free<T>(a) + Free<T>(d))
MEANING(Nmsac, Free<T>(d) - Free<T>(b) * Free<T>(a))
MEANING(Madd, Free<T>(b) * Free<T>(d) + Free<T>(a))
MEANING(Nmsub, Free<T>(a) - Free<T>(b) * Free<T>(d))
MEANING(WideAdd, Free<T>(a) + Free<T>(b))
MEANING(WideSub, Free<T>(a) - Free<T>(b))
MEANING(WideMul, Free<T>(a) * Free<T>(b))
#undef MEANING

template <class F, Sign sign>
Kernels high() {
  return PRESIL_DSP_KERNELS_32(binary_loop, F, sign);
}

}  // namespace

Rows vector_multiply_rows() {
  constexpr Group kM = Group::kOpm;
  constexpr Class kMul = Class::kVectorMultiply, kDiv = Class::kVectorDivide,
                  kLong = Class::kVectorLong;
  constexpr uint8_t kVX2 = kVV | kVX;
  static const VectorRow rows[] = {
      {0b100000, kM, "vdivu", kVX2, kBinary, kDiv, binary<Divu, kUnsigned>()},
      {0b100001, kM, "vdiv", kVX2, kBinary, kDiv, binary<Div, kSigned>()},
      {0b100010, kM, "vremu", kVX2, kBinary, kDiv, binary<Remu, kUnsigned>()},
      {0b100011, kM, "vrem", kVX2, kBinary, kDiv, binary<Rem, kSigned>()},
      {0b100100, kM, "vmulhu", kVX2, kBinary, kMul, high<Mulh, kUnsigned>()},
      {0b100101, kM, "vmul", kVX2, kBinary, kMul, binary<Mul, kUnsigned>()},
      {0b100110, kM, "vmulhsu", kVX2, kBinary, kMul, high<Mulhsu, kSigned>()},
      {0b100111, kM, "vmulh", kVX2, kBinary, kMul, high<Mulh, kSigned>()},
      {0b101001, kM, "vmadd", kVX2, kMultiplyAdd, kMul, ternary<Madd>()},
      {0b101011, kM, "vnmsub", kVX2, kMultiplyAdd, kMul, ternary<Nmsub>()},
      {0b101101, kM, "vmacc", kVX2, kMultiplyAdd, kMul, ternary<Macc>()},
      {0b101111, kM, "vnmsac", kVX2, kMultiplyAdd, kMul, ternary<Nmsac>()},
      {0b110000, kM, "vwaddu", kVX2, kWiden, kLong, widen<WideAdd, kUnsigned, kUnsigned>()},
      {0b110001, kM, "vwadd", kVX2, kWiden, kLong, widen<WideAdd, kSigned, kSigned>()},
      {0b110010, kM, "vwsubu", kVX2, kWiden, kLong, widen<WideSub, kUnsigned, kUnsigned>()},
      {0b110011, kM, "vwsub", kVX2, kWiden, kLong, widen<WideSub, kSigned, kSigned>()},
      {0b110100, kM, "vwaddu", kVX2, kWidenWide, kLong,
       widen<WideAdd, kUnsigned, kUnsigned, true>()},
      {0b110101, kM, "vwadd", kVX2, kWidenWide, kLong, widen<WideAdd, kSigned, kSigned, true>()},
      {0b110110, kM, "vwsubu", kVX2, kWidenWide, kLong,
       widen<WideSub, kUnsigned, kUnsigned, true>()},
      {0b110111, kM, "vwsub", kVX2, kWidenWide, kLong, widen<WideSub, kSigned, kSigned, true>()},
      {0b111000, kM, "vwmulu", kVX2, kWiden, kLong, widen<WideMul, kUnsigned, kUnsigned>()},
      {0b111010, kM, "vwmulsu", kVX2, kWiden, kLong, widen<WideMul, kSigned, kUnsigned>()},
      {0b111011, kM, "vwmul", kVX2, kWiden, kLong, widen<WideMul, kSigned, kSigned>()},
      {0b111100, kM, "vwmaccu", kVX2, kWidenAdd, kLong, widen<Macc, kUnsigned, kUnsigned>()},
      {0b111101, kM, "vwmacc", kVX2, kWidenAdd, kLong, widen<Macc, kSigned, kSigned>()},
      {0b111110, kM, "vwmaccus", kVX, kWidenAdd, kLong, widen<Macc, kSigned, kUnsigned>()},
      {0b111111, kM, "vwmaccsu", kVX2, kWidenAdd, kLong, widen<Macc, kUnsigned, kSigned>()},
  };
  return rows;
}

}  // namespace presil::dsp::PRESIL_DSP_LANES
