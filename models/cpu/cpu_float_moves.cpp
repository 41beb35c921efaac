// Loads, stores and moves of floating-point registers; FPSCR.
#include "models/cpu/cpu_scalar.h"
#include "models/cpu/cpu_system.h"

namespace presil::cpu {
namespace {

// `extra` words from an address on.
Slow load_words(Hart& h, Decoded* o, uint32_t address, unsigned count) {
  uint32_t values[32];
  for (unsigned i = 0; i < count; ++i) {
    const Slow slow = load_word(h, o, address + 4 * i, values[i]);
    if (!slow.done) return slow;
  }
  for (unsigned i = 0; i < count; ++i) h.s[o->rd + i] = values[i];
  return {true, nullptr};
}
Slow store_words(Hart& h, Decoded* o, uint32_t address, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const Slow slow = store_word(h, o, address + 4 * i, h.s[o->rd + i]);
    if (!slow.done) return slow;
  }
  return {true, nullptr};
}

Decoded* vldr(Hart& h, Decoded* o) {
  const uint32_t address = o->mode != 0 ? o->imm : h.r[o->rn] + o->imm;
  const Slow slow = load_words(h, o, address, o->extra);
  return slow.done ? after_device(h, o) : slow.next;
}
Decoded* vstr(Hart& h, Decoded* o) {
  const Slow slow = store_words(h, o, h.r[o->rn] + o->imm, o->extra);
  return slow.done ? after_device(h, o) : slow.next;
}

// mode: bit 0 writes the base back, bit 1 counts down before.
template <bool is_load>
Decoded* multiple(Hart& h, Decoded* o) {
  const uint32_t bytes = o->extra * 4u, base = h.r[o->rn];
  const uint32_t address = (o->mode & 2) != 0 ? base - bytes : base;
  const uint32_t after = (o->mode & 2) != 0 ? address : base + bytes;
  if (o->rn == 13 && (o->mode & 1) != 0 && after < h.stack_limit)
    return fault(h, *o, Fault::kStackOverflow);
  const Slow slow =
      is_load ? load_words(h, o, address, o->extra) : store_words(h, o, address, o->extra);
  if (!slow.done) return slow.next;
  if ((o->mode & 1) != 0) h.r[o->rn] = after;
  return after_device(h, o);
}

Decoded* move_pair(Hart& h, Decoded* o) {
  if (o->mode != 0) {
    h.r[o->ra] = h.s[o->rm];
    h.r[o->rn] = h.s[o->rm + 1u];
  } else {
    h.s[o->rm] = h.r[o->ra];
    h.s[o->rm + 1u] = h.r[o->rn];
  }
  PRESIL_CPU_NEXT(h, o + 1);
}
Decoded* to_float(Hart& h, Decoded* o) {
  h.s[o->rn] = h.r[o->rd];
  PRESIL_CPU_NEXT(h, o + 1);
}
Decoded* from_float(Hart& h, Decoded* o) {
  h.r[o->rd] = h.s[o->rn];
  PRESIL_CPU_NEXT(h, o + 1);
}

constexpr uint32_t kFpscr = kFpFlags | kFpModes | 0x9f;
Decoded* vmsr(Hart& h, Decoded* o) {
  h.fpscr = h.r[o->rd] & kFpscr;
  PRESIL_CPU_NEXT(h, o + 1);
}
Decoded* vmrs(Hart& h, Decoded* o) {
  if (o->rd == 15)
    h.set_nzcv(h.fpscr);
  else
    h.r[o->rd] = h.fpscr;
  PRESIL_CPU_NEXT(h, o + 1);
}

}  // namespace

const std::vector<Row>& float_move_rows() {
  constexpr uint16_t kN = kNeedsFpu;
  constexpr Class kP = Class::kFloatMovePair, kF = Class::kFloat;
  static const std::vector<Row> rows = {
      {"vmov.2", 0xec400a10, 0xffe00fd0, Form::kFloatMovePair, kP, move_pair, kN},
      {"vmov.d", 0xec400b10, 0xffe00fd0, Form::kFloatMovePair, kP, move_pair, kN},
      {"vldr", 0xed100a00, 0xff300e00, Form::kFloatLoad, Class::kFloatLoad, vldr, kN},
      {"vstr", 0xed000a00, 0xff300e00, Form::kFloatLoad, Class::kFloatStore, vstr, kN},
      {"vldm", 0xec100a00, 0xfe100e00, Form::kFloatMultiple, Class::kFloatLoad, multiple<true>, kN},
      {"vstm", 0xec000a00, 0xfe100e00, Form::kFloatMultiple, Class::kFloatStore, multiple<false>,
       kN},
      {"vmov.s", 0xee000a10, 0xfff00f7f, Form::kFloatMoveCore, kF, to_float, kN},
      {"vmov.r", 0xee100a10, 0xfff00f7f, Form::kFloatMoveCore, kF, from_float, kN},
      {"vmov.dx", 0xee000b10, 0xffd00f7f, Form::kFloatMoveHalf, kF, to_float, kN},
      {"vmov.rx", 0xee100b10, 0xffd00f7f, Form::kFloatMoveHalf, kF, from_float, kN},
      {"vmsr", 0xeee10a10, 0xffff0fff, Form::kFloatSystem, kF, vmsr, kN | kPrivate},
      {"vmrs", 0xeef10a10, 0xffff0fff, Form::kFloatSystem, kF, vmrs, kN},
  };
  return rows;
}

}  // namespace presil::cpu
