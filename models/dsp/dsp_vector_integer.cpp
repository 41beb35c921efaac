// Vector integer arithmetic of one width: add, logic, shifts, minimum and maximum, compare, carry,
// merge, extension.
#include "models/dsp/dsp_families.h"

namespace presil::dsp::PRESIL_DSP_LANES {
namespace {

/// A meaning: what the result is of vs2's element a and of b.
#define MEANING(Name, expression)                            \
  struct Name {                                              \
    template <class T>                                       \
    static T f([[maybe_unused]] T a, [[maybe_unused]] T b) { \
      return static_cast<T>(expression);                     \
    }                                                        \
  };
MEANING(Add, Free<T>(a) + Free<T>(b))
MEANING(Sub, Free<T>(a) - Free<T>(b))
MEANING(Rsub, Free<T>(b) - Free<T>(a))
MEANING(And, a& b)
MEANING(Or, a | b)
MEANING(Xor, a ^ b)
MEANING(Min, a < b ? a : b)
MEANING(Max, a > b ? a : b)
MEANING(Sll, Free<T>(a) << (Unsigned<T>(b) & (kBits<T> - 1)))
MEANING(Shr, a >> (Unsigned<T>(b) & (kBits<T> - 1)))
MEANING(Eq, a == b)
MEANING(Ne, a != b)
MEANING(Lt, a < b)
MEANING(Le, a <= b)
MEANING(Gt, a > b)
MEANING(Second, b)
#undef MEANING

/// The same with v0's bit c.
#define MEANING(Name, expression)        \
  struct Name {                          \
    template <class T>                   \
    static T f(T a, T b, T c) {          \
      return static_cast<T>(expression); \
    }                                    \
  };
MEANING(Adc, Free<T>(a) + Free<T>(b) + Free<T>(c))
MEANING(Sbc, Free<T>(a) - Free<T>(b) - Free<T>(c))
MEANING(CarryOut, T(Free<T>(a) + Free<T>(b) + Free<T>(c)) < a || (c != 0 && b == kMost<T>))
MEANING(BorrowOut, a < b || (c != 0 && a == b))
MEANING(Merge, c != 0 ? b : a)
#undef MEANING

/// Of vs2's element of 2 SEW, by the low bits of b.
struct NarrowShift {
  template <class W, class T>
  static W f(W a, T b) {
    return static_cast<W>(a >> (b & (kBits<W> - 1)));
  }
};

template <unsigned by, Sign sign>
Kernels extend() {
  Kernels k{};
  if constexpr (by <= 2) k[0][1] = extend_loop<uint16_t, Lane<16 / by, sign>>;
  if constexpr (by <= 4) k[0][2] = extend_loop<uint32_t, Lane<32 / by, sign>>;
  k[0][3] = extend_loop<uint64_t, Lane<64 / by, sign>>;
  return k;
}

constexpr Shape kWithCarry{Width::kSew,         Width::kSew,       Width::kSew,
                           kCarry | kWantsMask, Commit::kElements, 'm'};
constexpr Shape kCarryMask{Width::kMask,        Width::kSew,   Width::kSew,
                           kCarry | kWantsMask, Commit::kBits, 'm'};
constexpr Shape kCarryMaskPlain{Width::kMask, Width::kSew,   Width::kSew,
                                kNoMask,      Commit::kBits, 'v'};
constexpr Shape kMove{Width::kSew, Width::kNone, Width::kSew, kNoMask, Commit::kElements, '1'};
constexpr Shape kExtend2{Width::kSew, Width::kHalf, Width::kNone, 0, Commit::kElements, 0};
constexpr Shape kExtend4{Width::kSew, Width::kQuarter, Width::kNone, 0, Commit::kElements, 0};
constexpr Shape kExtend8{Width::kSew, Width::kEighth, Width::kNone, 0, Commit::kElements, 0};

}  // namespace

Rows vector_integer_rows() {
  constexpr Group kI = Group::kOpi, kM = Group::kOpm;
  constexpr Class kV = Class::kVector, kC = Class::kVectorCompare;
  constexpr uint8_t kVXI = kVV | kVX | kVI, kVXU = kVV | kVX | kVU;
  static const VectorRow rows[] = {
      {0b000000, kI, "vadd", kVXI, kBinary, kV, binary<Add, kUnsigned>()},
      {0b000010, kI, "vsub", kVV | kVX, kBinary, kV, binary<Sub, kUnsigned>()},
      {0b000011, kI, "vrsub", kVX | kVI, kBinary, kV, binary<Rsub, kUnsigned>()},
      {0b000100, kI, "vminu", kVV | kVX, kBinary, kV, binary<Min, kUnsigned>()},
      {0b000101, kI, "vmin", kVV | kVX, kBinary, kV, binary<Min, kSigned>()},
      {0b000110, kI, "vmaxu", kVV | kVX, kBinary, kV, binary<Max, kUnsigned>()},
      {0b000111, kI, "vmax", kVV | kVX, kBinary, kV, binary<Max, kSigned>()},
      {0b001001, kI, "vand", kVXI, kBinary, kV, binary<And, kUnsigned>()},
      {0b001010, kI, "vor", kVXI, kBinary, kV, binary<Or, kUnsigned>()},
      {0b001011, kI, "vxor", kVXI, kBinary, kV, binary<Xor, kUnsigned>()},
      {0b100101, kI, "vsll", kVXU, kBinary, kV, binary<Sll, kUnsigned>()},
      {0b101000, kI, "vsrl", kVXU, kBinary, kV, binary<Shr, kUnsigned>()},
      {0b101001, kI, "vsra", kVXU, kBinary, kV, binary<Shr, kSigned>()},
      {0b101100, kI, "vnsrl", kVXU, kNarrow, Class::kVectorLong, narrow<NarrowShift, kUnsigned>()},
      {0b101101, kI, "vnsra", kVXU, kNarrow, Class::kVectorLong, narrow<NarrowShift, kSigned>()},
      {0b010000, kI, "vadc", kVXI, kWithCarry, kV, carry<Adc>()},
      {0b010001, kI, "vmadc", kVXI, kCarryMask, kC, carry_out<CarryOut>()},
      {0b010001, kI, "vmadc", kVXI, kCarryMaskPlain, kC, carry_out<CarryOut>()},
      {0b010010, kI, "vsbc", kVV | kVX, kWithCarry, kV, carry<Sbc>()},
      {0b010011, kI, "vmsbc", kVV | kVX, kCarryMask, kC, carry_out<BorrowOut>()},
      {0b010011, kI, "vmsbc", kVV | kVX, kCarryMaskPlain, kC, carry_out<BorrowOut>()},
      {0b010111, kI, "vmerge", kVXI, kWithCarry, kV, carry<Merge>()},
      {0b010111, kI, "vmv.v", kVXI, kMove, kV, binary<Second, kUnsigned>(), -1, 0},
      {0b011000, kI, "vmseq", kVXI, kCompare, kC, compare<Eq, kUnsigned>()},
      {0b011001, kI, "vmsne", kVXI, kCompare, kC, compare<Ne, kUnsigned>()},
      {0b011010, kI, "vmsltu", kVV | kVX, kCompare, kC, compare<Lt, kUnsigned>()},
      {0b011011, kI, "vmslt", kVV | kVX, kCompare, kC, compare<Lt, kSigned>()},
      {0b011100, kI, "vmsleu", kVXI, kCompare, kC, compare<Le, kUnsigned>()},
      {0b011101, kI, "vmsle", kVXI, kCompare, kC, compare<Le, kSigned>()},
      {0b011110, kI, "vmsgtu", kVX | kVI, kCompare, kC, compare<Gt, kUnsigned>()},
      {0b011111, kI, "vmsgt", kVX | kVI, kCompare, kC, compare<Gt, kSigned>()},
      {0b010010, kM, "vzext.vf2", kUnary, kExtend2, kV, extend<2, kUnsigned>(), 6},
      {0b010010, kM, "vsext.vf2", kUnary, kExtend2, kV, extend<2, kSigned>(), 7},
      {0b010010, kM, "vzext.vf4", kUnary, kExtend4, kV, extend<4, kUnsigned>(), 4},
      {0b010010, kM, "vsext.vf4", kUnary, kExtend4, kV, extend<4, kSigned>(), 5},
      {0b010010, kM, "vzext.vf8", kUnary, kExtend8, kV, extend<8, kUnsigned>(), 2},
      {0b010010, kM, "vsext.vf8", kUnary, kExtend8, kV, extend<8, kSigned>(), 3},
  };
  return rows;
}

}  // namespace presil::dsp::PRESIL_DSP_LANES
