// Data processing: sixteen operations, each with every form of the second operand.
#include <utility>

#include "models/cpu/cpu_scalar.h"

namespace presil::cpu {
namespace {

template <DataOperand kind>
uint32_t operand(const Hart& h, const Decoded* o, uint32_t& carry) {
  if (kind == DataOperand::kImm) return o->imm;
  if (kind == DataOperand::kImmCarry) {
    carry = o->extra;
    return o->imm;
  }
  const uint32_t a = h.r[o->rm];
  const unsigned n = o->extra;
  switch (kind) {
    case DataOperand::kLsl:  // 1..31
      carry = a >> (32 - n) & 1;
      return a << n;
    case DataOperand::kLsr:  // 1..32
      carry = a >> (n - 1) & 1;
      return n == 32 ? 0 : a >> n;
    case DataOperand::kAsr:
      carry = static_cast<uint32_t>(s64(a) >> (n - 1)) & 1;
      return static_cast<uint32_t>(s64(a) >> n);
    case DataOperand::kRor:
      carry = a >> (n - 1) & 1;
      return rotated(a, n);
    case DataOperand::kRrx:
      carry = a & 1;
      return a >> 1 | h.c << 31;
    default:
      return a;
  }
}

constexpr bool is_arithmetic(Op op) {
  return op == Op::kAdd || op == Op::kAdc || op == Op::kSbc || op == Op::kSub || op == Op::kRsb ||
         op == Op::kCmp || op == Op::kCmn;
}
constexpr bool only_compares(Op op) {
  return op == Op::kTst || op == Op::kTeq || op == Op::kCmp || op == Op::kCmn;
}

template <Op op, bool s>
uint32_t result_of(Hart& h, uint32_t a, uint32_t b) {
  switch (op) {
    case Op::kAnd:
    case Op::kTst:
      return a & b;
    case Op::kBic:
      return a & ~b;
    case Op::kOrr:
      return a | b;
    case Op::kOrn:
      return a | ~b;
    case Op::kEor:
    case Op::kTeq:
      return a ^ b;
    case Op::kMov:
      return b;
    case Op::kMvn:
      return ~b;
    case Op::kAdd:
    case Op::kCmn:
      return sum<s>(h, a, b, 0);
    case Op::kAdc:
      return sum<s>(h, a, b, h.c);
    case Op::kSbc:
      return sum<s>(h, a, ~b, h.c);
    case Op::kRsb:
      return sum<s>(h, ~a, b, 1);
    default:
      return sum<s>(h, a, ~b, 1);
  }
}

template <Op op, DataOperand kind, bool s>
Decoded* data(Hart& h, Decoded* o) {
  uint32_t carry = h.c;
  const uint32_t b = operand<kind>(h, o, carry);
  constexpr bool unary = op == Op::kMov || op == Op::kMvn;
  const uint32_t r = result_of<op, s>(h, unary ? 0 : h.r[o->rn], b);
  if (!only_compares(op)) h.r[o->rd] = r;
  if (s && !is_arithmetic(op)) {
    h.set_nz(r);
    h.c = carry;
  }
  PRESIL_CPU_NEXT(h, o + 1);
}

// PKHBT with LSL, PKHTB with ASR.
template <DataOperand kind>
Decoded* pack(Hart& h, Decoded* o) {
  uint32_t carry = 0;
  const uint32_t a = h.r[o->rn], b = operand<kind>(h, o, carry);
  h.r[o->rd] =
      kind == DataOperand::kAsr ? (a & 0xffff0000) | (b & 0xffff) : (b & 0xffff0000) | (a & 0xffff);
  PRESIL_CPU_NEXT(h, o + 1);
}

template <Op op, bool s>
Decoded* shift(Hart& h, Decoded* o) {
  const uint32_t a = h.r[o->rn];
  const unsigned n = h.r[o->rm] & 255;
  uint32_t r = a, carry = h.c;
  if (n != 0) {
    const uint64_t left = n > 32 ? 0 : uint64_t{a} << n;
    const unsigned most = n > 32 ? 32 : n;
    switch (op) {
      case Op::kLsl:
        r = n > 32 ? 0 : static_cast<uint32_t>(left);
        carry = left >> 32 & 1;
        break;
      case Op::kLsr:
        r = n > 31 ? 0 : a >> n;
        carry = n > 32 ? 0 : a >> (n - 1) & 1;
        break;
      case Op::kAsr:
        r = static_cast<uint32_t>(s64(a) >> most);
        carry = static_cast<uint32_t>(s64(a) >> (most - 1)) & 1;
        break;
      default:
        r = rotated(a, n & 31);
        carry = r >> 31;
    }
  }
  h.r[o->rd] = r;
  if (s) {
    h.set_nz(r);
    h.c = carry;
  }
  PRESIL_CPU_NEXT(h, o + 1);
}

using Handlers = std::array<std::array<Handler, 2>, 8>;  // by DataOperand, S

template <Op op, size_t... k>
constexpr Handlers handlers(std::index_sequence<k...>) {
  return {{{{data<op, static_cast<DataOperand>(k), only_compares(op)>,
             data<op, static_cast<DataOperand>(k), true>}}...}};
}
template <size_t... op>
constexpr std::array<Handlers, sizeof...(op)> all(std::index_sequence<op...>) {
  return {{handlers<static_cast<Op>(op + 1)>(std::make_index_sequence<8>())...}};
}
constexpr auto kHandlers = all(std::make_index_sequence<16>());

}  // namespace

Handler data_handler(Op op, DataOperand operand, bool sets_flags) {
  if (op == Op::kPkh) {
    if (operand == DataOperand::kAsr) return pack<DataOperand::kAsr>;
    return operand == DataOperand::kLsl ? pack<DataOperand::kLsl> : pack<DataOperand::kReg>;
  }
  return kHandlers[static_cast<size_t>(op) - 1][static_cast<size_t>(operand)][sets_flags ? 1 : 0];
}

Handler shift_handler(Op op, bool s) {
  switch (op) {
    case Op::kLsl:
      return s ? shift<Op::kLsl, true> : shift<Op::kLsl, false>;
    case Op::kLsr:
      return s ? shift<Op::kLsr, true> : shift<Op::kLsr, false>;
    case Op::kAsr:
      return s ? shift<Op::kAsr, true> : shift<Op::kAsr, false>;
    default:
      return s ? shift<Op::kRor, true> : shift<Op::kRor, false>;
  }
}

const std::vector<Row>& data_rows() {
  constexpr Form kI = Form::kDataImm, kR = Form::kDataReg;
  constexpr Class kA = Class::kAlu;
  constexpr uint32_t kMaskI = 0xfbe08000, kMaskR = 0xffe08000;
  static const std::vector<Row> rows = {
      // comparisons and moves first: they are AND, EOR, ADD, SUB, ORR, ORN with register 15
      {"tst", 0xf0100f00, 0xfbf08f00, kI, kA, nullptr, kSetsFlags, Op::kTst},
      {"teq", 0xf0900f00, 0xfbf08f00, kI, kA, nullptr, kSetsFlags, Op::kTeq},
      {"cmn", 0xf1100f00, 0xfbf08f00, kI, kA, nullptr, kSetsFlags, Op::kCmn},
      {"cmp", 0xf1b00f00, 0xfbf08f00, kI, kA, nullptr, kSetsFlags, Op::kCmp},
      {"mov", 0xf04f0000, 0xfbef8000, kI, kA, nullptr, 0, Op::kMov},
      {"mvn", 0xf06f0000, 0xfbef8000, kI, kA, nullptr, 0, Op::kMvn},
      {"and", 0xf0000000, kMaskI, kI, kA, nullptr, 0, Op::kAnd},
      {"bic", 0xf0200000, kMaskI, kI, kA, nullptr, 0, Op::kBic},
      {"orr", 0xf0400000, kMaskI, kI, kA, nullptr, 0, Op::kOrr},
      {"orn", 0xf0600000, kMaskI, kI, kA, nullptr, 0, Op::kOrn},
      {"eor", 0xf0800000, kMaskI, kI, kA, nullptr, 0, Op::kEor},
      {"add", 0xf1000000, kMaskI, kI, kA, nullptr, 0, Op::kAdd},
      {"adc", 0xf1400000, kMaskI, kI, kA, nullptr, 0, Op::kAdc},
      {"sbc", 0xf1600000, kMaskI, kI, kA, nullptr, 0, Op::kSbc},
      {"sub", 0xf1a00000, kMaskI, kI, kA, nullptr, 0, Op::kSub},
      {"rsb", 0xf1c00000, kMaskI, kI, kA, nullptr, 0, Op::kRsb},
      {"tst", 0xea100f00, 0xfff08f00, kR, kA, nullptr, kSetsFlags, Op::kTst},
      {"teq", 0xea900f00, 0xfff08f00, kR, kA, nullptr, kSetsFlags, Op::kTeq},
      {"cmn", 0xeb100f00, 0xfff08f00, kR, kA, nullptr, kSetsFlags, Op::kCmn},
      {"cmp", 0xebb00f00, 0xfff08f00, kR, kA, nullptr, kSetsFlags, Op::kCmp},
      {"mov", 0xea4f0000, 0xffef8000, kR, kA, nullptr, 0, Op::kMov},
      {"mvn", 0xea6f0000, 0xffef8000, kR, kA, nullptr, 0, Op::kMvn},
      {"and", 0xea000000, kMaskR, kR, kA, nullptr, 0, Op::kAnd},
      {"bic", 0xea200000, kMaskR, kR, kA, nullptr, 0, Op::kBic},
      {"orr", 0xea400000, kMaskR, kR, kA, nullptr, 0, Op::kOrr},
      {"orn", 0xea600000, kMaskR, kR, kA, nullptr, 0, Op::kOrn},
      {"eor", 0xea800000, kMaskR, kR, kA, nullptr, 0, Op::kEor},
      {"pkh", 0xeac00000, 0xfff08010, kR, kA, nullptr, kNeedsDsp, Op::kPkh},
      {"add", 0xeb000000, kMaskR, kR, kA, nullptr, 0, Op::kAdd},
      {"adc", 0xeb400000, kMaskR, kR, kA, nullptr, 0, Op::kAdc},
      {"sbc", 0xeb600000, kMaskR, kR, kA, nullptr, 0, Op::kSbc},
      {"sub", 0xeba00000, kMaskR, kR, kA, nullptr, 0, Op::kSub},
      {"rsb", 0xebc00000, kMaskR, kR, kA, nullptr, 0, Op::kRsb},
      {"addw", 0xf2000000, 0xfbf08000, Form::kPlainImm12, kA, nullptr, 0, Op::kAdd},
      {"subw", 0xf2a00000, 0xfbf08000, Form::kPlainImm12, kA, nullptr, 0, Op::kSub},
      {"lsl", 0xfa00f000, 0xffe0f0f0, Form::kShiftReg, kA, nullptr, 0, Op::kLsl},
      {"lsr", 0xfa20f000, 0xffe0f0f0, Form::kShiftReg, kA, nullptr, 0, Op::kLsr},
      {"asr", 0xfa40f000, 0xffe0f0f0, Form::kShiftReg, kA, nullptr, 0, Op::kAsr},
      {"ror", 0xfa60f000, 0xffe0f0f0, Form::kShiftReg, kA, nullptr, 0, Op::kRor},
  };
  return rows;
}

}  // namespace presil::cpu
