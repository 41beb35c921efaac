// Rows side by side: a lane is a row. Bytes of rows come as columns, eight in a segment load: a
// cycle for every row, or 1/8 for an element.
#pragma once

#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

namespace presil::dsp {

#define PRESIL_DSP_FIELDS2(f, n) f(n, 0) f(n, 1)
#define PRESIL_DSP_FIELDS3(f, n) PRESIL_DSP_FIELDS2(f, n) f(n, 2)
#define PRESIL_DSP_FIELDS4(f, n) PRESIL_DSP_FIELDS3(f, n) f(n, 3)
#define PRESIL_DSP_FIELDS5(f, n) PRESIL_DSP_FIELDS4(f, n) f(n, 4)
#define PRESIL_DSP_FIELDS6(f, n) PRESIL_DSP_FIELDS5(f, n) f(n, 5)
#define PRESIL_DSP_FIELDS7(f, n) PRESIL_DSP_FIELDS6(f, n) f(n, 6)
#define PRESIL_DSP_FIELDS8(f, n) PRESIL_DSP_FIELDS7(f, n) f(n, 7)

/// use(column, number of an eight's first, number in the eight) for columns of `vl` rows that are
/// `step` bytes apart, in order; of more than 8 the last eight may have columns that have been.
/// What comes next is asked for before what is at hand is used. Inlined, what `use` keeps stays in
/// registers.
template <bool kFew = true, class Use>
[[gnu::always_inline]] inline void each_column(const uint8_t* x, ptrdiff_t step, size_t columns,
                                               size_t vl, const Use& use) {
#define PRESIL_DSP_USE(n, i) use(__riscv_vget_v_u8m1x##n##_u8m1(v, i), at, i);
#define PRESIL_DSP_CASE(n)                                                    \
  case n: {                                                                   \
    const vuint8m1x##n##_t v = __riscv_vlsseg##n##e8_v_u8m1x##n(x, step, vl); \
    PRESIL_DSP_FIELDS##n(PRESIL_DSP_USE, n) return;                           \
  }
  size_t at = 0;
  if (!kFew && columns < 8) {
    for (; at < columns; ++at) use(__riscv_vlse8_v_u8m1(x + at, step, vl), at, 0);
    return;
  }
  if (kFew) switch (columns) {
      case 0:
        return;
      case 1:
        return use(__riscv_vlse8_v_u8m1(x, step, vl), at, 0);
        PRESIL_DSP_CASE(2)
        PRESIL_DSP_CASE(3)
        PRESIL_DSP_CASE(4)
        PRESIL_DSP_CASE(5)
        PRESIL_DSP_CASE(6)
        PRESIL_DSP_CASE(7)
      default:
        break;
    }
  const auto use_eight = [&](vuint8m1x8_t v) { PRESIL_DSP_FIELDS8(PRESIL_DSP_USE, 8) };
  const size_t last = columns - 8;
  const auto after = [&] { return at + 8 < last ? at + 8 : last; };
  vuint8m1x8_t even = __riscv_vlsseg8e8_v_u8m1x8(x, step, vl);
  while (at != last) {
    const vuint8m1x8_t odd = __riscv_vlsseg8e8_v_u8m1x8(x + after(), step, vl);
    use_eight(even);
    at = after();
    if (at == last) return use_eight(odd);
    even = __riscv_vlsseg8e8_v_u8m1x8(x + after(), step, vl);
    use_eight(odd);
    at = after();
  }
  use_eight(even);
#undef PRESIL_DSP_CASE
#undef PRESIL_DSP_USE
}

/// use(column, its number, vl) for `columns`, 8 or more, of `vl` rows at a time, then end(first of
/// them, vl). The next eight, also those of the next rows, are asked for before these are used.
template <class Use, class End>
[[gnu::always_inline]] inline void each_column_of(const uint8_t* x, ptrdiff_t step, size_t rows,
                                                  size_t columns, const Use& use, const End& end) {
  struct Position {
    size_t row, vl, at;
  };
  const size_t last = columns - 8;
  const auto after = [&](Position p) {
    const size_t row = p.row + p.vl;
    if (p.at == last) return Position{row, __riscv_vsetvl_e8m1(rows - row), 0};
    return Position{p.row, p.vl, p.at + 8 < last ? p.at + 8 : last};
  };
  const auto load = [&](Position p) {
    return __riscv_vlsseg8e8_v_u8m1x8(x + static_cast<ptrdiff_t>(p.row) * step + p.at, step, p.vl);
  };
  const auto use_eight = [&](vuint8m1x8_t v, Position p) {
#define PRESIL_DSP_USE(n, i) use(__riscv_vget_v_u8m1x8_u8m1(v, i), p.at + i, p.vl);
    PRESIL_DSP_FIELDS8(PRESIL_DSP_USE, 8)
#undef PRESIL_DSP_USE
    if (p.at == last) end(p.row, p.vl);
  };
  Position now{0, __riscv_vsetvl_e8m1(rows), 0};
  vuint8m1x8_t even = load(now);
  while (now.vl > 0) {
    const Position next = after(now);
    const vuint8m1x8_t odd = load(next);
    use_eight(even, now);
    if (next.vl == 0) return;
    now = after(next);
    even = load(now);
    use_eight(odd, next);
  }
}

/// The way back, of 1 to 8 columns that lie one after the other.
inline void store_columns(const uint8_t* x, uint8_t* y, ptrdiff_t step, size_t columns, size_t vl) {
#define PRESIL_DSP_SET(n, i) \
  v = __riscv_vset_v_u8m1_u8m1x##n(v, i, __riscv_vle8_v_u8m1(x + i * vl, vl));
#define PRESIL_DSP_CASE(n)                                   \
  case n: {                                                  \
    vuint8m1x##n##_t v = __riscv_vundefined_u8m1x##n();      \
    PRESIL_DSP_FIELDS##n(PRESIL_DSP_SET, n);                 \
    return __riscv_vssseg##n##e8_v_u8m1x##n(y, step, v, vl); \
  }
  switch (columns) {
    case 1:
      return __riscv_vsse8_v_u8m1(y, step, __riscv_vle8_v_u8m1(x, vl), vl);
      PRESIL_DSP_CASE(2)
      PRESIL_DSP_CASE(3)
      PRESIL_DSP_CASE(4)
      PRESIL_DSP_CASE(5)
      PRESIL_DSP_CASE(6)
      PRESIL_DSP_CASE(7)
      PRESIL_DSP_CASE(8)
    default:
      return;
  }
#undef PRESIL_DSP_CASE
#undef PRESIL_DSP_SET
}

}  // namespace presil::dsp
