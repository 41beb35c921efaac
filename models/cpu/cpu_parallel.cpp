// The DSP extension's sums of two halves or four bytes, SEL and sums of absolute differences.
#include <algorithm>

#include "models/cpu/cpu_scalar.h"

namespace presil::cpu {
namespace {

enum class Kind : uint8_t { kPlain, kSaturating, kHalving };

template <bool is_signed, unsigned bits>
int32_t lane(uint32_t word, unsigned n) {
  const uint32_t value = word >> (n * bits) & ((1u << bits) - 1);
  if (!is_signed) return static_cast<int32_t>(value);
  return static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
}

// A lane's result; plain ones set its bits of GE: no borrow or a carry, or a sum not negative.
template <bool is_signed, unsigned bits, Kind kind>
uint32_t finish(int32_t value, bool subtracts, unsigned n, uint32_t& ge) {
  constexpr int32_t kTop = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  constexpr int32_t kLow = is_signed ? -(1 << (bits - 1)) : 0;
  if (kind == Kind::kSaturating) value = std::min(std::max(value, kLow), kTop);
  if (kind == Kind::kHalving) value >>= 1;
  if (kind == Kind::kPlain) {
    const bool set = is_signed || subtracts ? value >= 0 : value > kTop;
    if (set) ge |= (bits == 8 ? 1u : 3u) << (n * bits / 8);
  }
  return (static_cast<uint32_t>(value) & ((1u << bits) - 1)) << (n * bits);
}

// What the lanes do: bit n: lane n subtracts. Crossed: the second operand's halves change places.
template <bool is_signed, unsigned bits, Kind kind, unsigned subtracts, bool crossed>
Decoded* parallel(Hart& h, Decoded* o) {
  const uint32_t a = h.r[o->rn], b = h.r[o->rm];
  uint32_t r = 0, ge = 0;
  for (unsigned n = 0; n < 32 / bits; ++n) {
    const bool minus = (subtracts >> n & 1) != 0;
    const int32_t x = lane<is_signed, bits>(a, n),
                  y = lane<is_signed, bits>(b, crossed ? 1 - n : n);
    r |= finish<is_signed, bits, kind>(minus ? x - y : x + y, minus, n, ge);
  }
  h.r[o->rd] = r;
  if (kind == Kind::kPlain) h.ge = ge;
  PRESIL_CPU_NEXT(h, o + 1);
}

Decoded* sel(Hart& h, Decoded* o) {
  uint32_t mask = 0;
  for (unsigned n = 0; n < 4; ++n) mask |= (h.ge >> n & 1) * 255u << 8 * n;
  h.r[o->rd] = (h.r[o->rn] & mask) | (h.r[o->rm] & ~mask);
  PRESIL_CPU_NEXT(h, o + 1);
}

uint32_t differences(uint32_t a, uint32_t b) {
  uint32_t total = 0;
  for (unsigned n = 0; n < 4; ++n)
    total += static_cast<uint32_t>(std::abs(lane<false, 8>(a, n) - lane<false, 8>(b, n)));
  return total;
}
Decoded* usad8(Hart& h, Decoded* o) {
  h.r[o->rd] = differences(h.r[o->rn], h.r[o->rm]);
  PRESIL_CPU_NEXT(h, o + 1);
}
Decoded* usada8(Hart& h, Decoded* o) {
  h.r[o->rd] = h.r[o->ra] + differences(h.r[o->rn], h.r[o->rm]);
  PRESIL_CPU_NEXT(h, o + 1);
}

// Six rows: signed and unsigned, each plain, saturating, halving.
template <unsigned bits, unsigned subtracts, bool crossed>
void add(std::vector<Row>& rows, uint32_t match, std::array<const char*, 6> names) {
  const std::array<Handler, 6> run = {parallel<true, bits, Kind::kPlain, subtracts, crossed>,
                                      parallel<true, bits, Kind::kSaturating, subtracts, crossed>,
                                      parallel<true, bits, Kind::kHalving, subtracts, crossed>,
                                      parallel<false, bits, Kind::kPlain, subtracts, crossed>,
                                      parallel<false, bits, Kind::kSaturating, subtracts, crossed>,
                                      parallel<false, bits, Kind::kHalving, subtracts, crossed>};
  for (uint32_t i = 0; i < 6; ++i)
    rows.push_back({names[i], match | (i / 3) << 6 | (i % 3) << 4, 0xfff0f0f0, Form::kThree,
                    Class::kAlu, run[i], kNeedsDsp});
}

std::vector<Row> make() {
  std::vector<Row> rows = {
      {"sel", 0xfaa0f080, 0xfff0f0f0, Form::kThree, Class::kAlu, sel, kNeedsDsp},
      {"usad8", 0xfb70f000, 0xfff0f0f0, Form::kThree, Class::kAlu, usad8, kNeedsDsp},
      {"usada8", 0xfb700000, 0xfff000f0, Form::kFour, Class::kAlu, usada8, kNeedsDsp},
  };
  add<8, 0, false>(rows, 0xfa80f000, {"sadd8", "qadd8", "shadd8", "uadd8", "uqadd8", "uhadd8"});
  add<16, 0, false>(rows, 0xfa90f000,
                    {"sadd16", "qadd16", "shadd16", "uadd16", "uqadd16", "uhadd16"});
  add<16, 1, true>(rows, 0xfaa0f000, {"sasx", "qasx", "shasx", "uasx", "uqasx", "uhasx"});
  add<8, 15, false>(rows, 0xfac0f000, {"ssub8", "qsub8", "shsub8", "usub8", "uqsub8", "uhsub8"});
  add<16, 3, false>(rows, 0xfad0f000,
                    {"ssub16", "qsub16", "shsub16", "usub16", "uqsub16", "uhsub16"});
  add<16, 2, true>(rows, 0xfae0f000, {"ssax", "qsax", "shsax", "usax", "uqsax", "uhsax"});
  return rows;
}

}  // namespace

const std::vector<Row>& parallel_rows() {
  static const std::vector<Row> rows = make();
  return rows;
}

}  // namespace presil::cpu
