// Rows side by side: a lane is a row, columns come by eights or one by one.
#pragma once

#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

namespace presil::dsp {

/// use(make(column)) for columns of `vl` rows that are `step` bytes apart, in their order. What
/// comes next is asked for before what is at hand is used: eights, and in them what `make` asks
/// for.
template <class Make, class Use>
void each_column(const uint8_t* x, ptrdiff_t step, size_t columns, size_t vl, const Make& make,
                 const Use& use) {
  size_t c = 0;
  if (columns >= 8) {
    vuint8m1x8_t eight = __riscv_vlsseg8e8_v_u8m1x8(x, step, vl);
    for (; c + 8 <= columns; c += 8) {
      const vuint8m1x8_t now = eight;
      if (c + 16 <= columns) eight = __riscv_vlsseg8e8_v_u8m1x8(x + c + 8, step, vl);
      const auto v0 = make(__riscv_vget_v_u8m1x8_u8m1(now, 0));
      const auto v1 = make(__riscv_vget_v_u8m1x8_u8m1(now, 1));
      use(v0);
      const auto v2 = make(__riscv_vget_v_u8m1x8_u8m1(now, 2));
      use(v1);
      const auto v3 = make(__riscv_vget_v_u8m1x8_u8m1(now, 3));
      use(v2);
      const auto v4 = make(__riscv_vget_v_u8m1x8_u8m1(now, 4));
      use(v3);
      const auto v5 = make(__riscv_vget_v_u8m1x8_u8m1(now, 5));
      use(v4);
      const auto v6 = make(__riscv_vget_v_u8m1x8_u8m1(now, 6));
      use(v5);
      const auto v7 = make(__riscv_vget_v_u8m1x8_u8m1(now, 7));
      use(v6);
      use(v7);
    }
  }
  for (; c < columns; ++c) use(make(__riscv_vlse8_v_u8m1(x + c, step, vl)));
}
template <class Use>
void each_column(const uint8_t* x, ptrdiff_t step, size_t columns, size_t vl, const Use& use) {
  each_column(
      x, step, columns, vl, [](vuint8m1_t v) { return v; }, use);
}

}  // namespace presil::dsp
