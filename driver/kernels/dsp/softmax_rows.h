// Softmax of int8, rows side by side: a lane is a row. What the two rules of numbers share.
//
// A roomful of rows lies in DTCM column by column, so that a column of `vl` rows is one load. What
// an element counts, e, is one of 256 numbers of 32 bits.
//   64 elements in, by eights of columns: vlsseg8e8 vse8 vmax      8 cycles: load unit
//   64 results: vle32, the rule's share, vssseg8e8                 22 cycles: lanes
// Between them, for a row's sum is known at the end of all of its e only:
//   VLEN 512, of kManyWords: distances by vsub 2, e by gathers (lookup_words.h) 32, the rule's sum
//   8 or 16; 72 or 80 with the others, 1.13 or 1.25 cycles per element.
//   Else vle8 vsub vwmulu vluxei16 vse32, the rule's sum: an element a cycle, 66 in the load unit;
//   1.5 cycles per element with the others. Fewer rows have emptier lanes: 16 take 2 + 17 +
//   6, 1.56.
//
// Rows of two have 256 distances and as many pairs of results. Where there are many rows the 256
// are computed and looked up, 256 rows by vlseg2e8 vmax vmin vsub vmsge; 2 x vrgather; vmerge
// vmerge vsseg2e8: lanes 32 + 64 + 16 for 512 elements, 0.22 cycles per element.
#pragma once

#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/kernels/dsp/columns.h"
#include "driver/kernels/dsp/lookup.h"
#include "driver/kernels/dsp/lookup_words.h"
#include "driver/kernels/dsp/walk.h"

namespace presil::dsp {

constexpr size_t kMostElements = 21 << 10;  // of a roomful

struct Roomful {
  uint8_t x[kMostElements + 512];  // loads run up to 2 columns past the last
  int32_t e[kMostElements];
};
constexpr size_t kManyPairs = 512, kMostPairs = 4096;

/// So many elements are worth planes of a table.
constexpr int64_t kManyWords = 1536;
inline bool by_gathers(int64_t elements) {
  return __riscv_vlenb() == 64 && elements >= kManyWords;
}

/// Where all e of a roomful are found at once.
struct Words {
  uint8_t planes[4][256], of_rows[256];
  PartsOfWords parts;
};

/// Instead of a roomful, after its first 512.
struct Pairs {
  uint8_t x[512], y[512];          // all distances
  uint8_t large[256], small[256];  // results by the distance
  uint8_t distance[kMostPairs], of_large[kMostPairs], of_small[kMostPairs];
};

/// How many of `rows` rows come next: parts as equal as can be.
inline size_t rows_at_once(size_t rows, size_t depth) {
  const size_t lanes = __riscv_vsetvlmax_e8m1(), fit = kMostElements / depth;
  const size_t most = lanes < fit ? lanes : fit;
  const size_t parts = (rows + most - 1) / most;
  return (rows + parts - 1) / parts;
}

/// Columns of `vl` rows, one after the other to `to`. @return the largest value of each row
[[gnu::noinline]] inline vint8m1_t columns_in(const uint8_t* x, ptrdiff_t step, size_t columns,
                                              size_t vl, uint8_t* to) {
  vint8m1_t largest = __riscv_vmv_v_x_i8m1(-128, vl);
  uint8_t* next = to;
  each_column(x, step, columns, vl, [&](vuint8m1_t v, size_t at, int i) {
    largest = __riscv_vmax_vv_i8m1(largest, __riscv_vreinterpret_v_u8m1_i8m1(v), vl);
    if (i == 0) next = to + at * vl;
    __riscv_vse8_v_u8m1(next, v, vl);
    next += vl;
  });
  return largest;
}

/// use(find(index_of(x))) for `columns` times vl bytes of a roomful: while elements are found, the
/// next index is computed, then what was found before is used, which waits for the load unit.
template <class Index, class Find, class Use>
void each_found(const uint8_t* x, size_t columns, size_t vl, const Index& index_of,
                const Find& find, const Use& use) {
  const auto load = [&] {
    const vuint8m1_t v = __riscv_vle8_v_u8m1(x, vl);
    x += vl;
    return v;
  };
  vuint16m2_t index = index_of(load());
  const auto next_index = [&](vuint8m1_t of) {
    index = index_of(of);
    in_order(index);
  };
  auto even = find(index);
  next_index(load());
  vuint8m1_t next = load();
  for (; columns > 2; columns -= 2) {
    const auto odd = find(index);
    next_index(next);
    use(even);
    next = load();
    even = find(index);
    next_index(next);
    use(odd);
    next = load();
  }
  if (columns == 2) {
    const auto odd = find(index);
    use(even);
    return use(odd);
  }
  use(even);
}

/// x = of(x, what each row has) for `columns` times vl <= 64 bytes of a roomful; VLEN 512.
template <class Of>
void each_by_row(uint8_t* x, size_t columns, size_t vl, vuint8m1_t row, uint8_t* of_rows,
                 const Of& of) {
  const size_t whole = 256 / vl * vl;
  for (size_t i = 0; i < whole; i += vl) __riscv_vse8_v_u8m1(of_rows + i, row, vl);
  const vuint8m4_t rows = __riscv_vle8_v_u8m4(of_rows, whole);
  size_t n = columns * vl, now = n < whole ? n : whole;
  for (vuint8m4_t v = __riscv_vle8_v_u8m4(x, now); n > 0;) {
    vuint8m4_t y = of(v, rows, now);
    n -= now;
    const size_t next = n < whole ? n : whole;
    in_order(y);
    v = __riscv_vle8_v_u8m4(x + now, next);
    __riscv_vse8_v_u8m4(x, y, now);
    x += now, now = next;
  }
}

/// use(load(e)) for `columns` times vl words, the next loaded before.
template <class T, class Load, class Use>
void each_word(const T* e, size_t columns, size_t vl, const Load& load, const Use& use) {
  auto even = load(e);
  for (; columns > 2; columns -= 2) {
    const auto odd = load(e + vl);
    use(even);
    e += 2 * vl;
    even = load(e);
    use(odd);
  }
  if (columns == 2) {
    const auto odd = load(e + vl);
    use(even);
    return use(odd);
  }
  use(even);
}

/// Bytes of `columns` columns to y, of each of which e is vl numbers: shares(x, z, next, a, b)
/// makes two of them of x and z as load(e) gives them, step by step together, and calls next()
/// where it is done with x and z. `room` has some for 8 columns.
template <class T, class Load, class Shares>
void columns_out(const T* e, uint8_t* y, ptrdiff_t step, size_t columns, size_t vl, uint8_t* room,
                 const Load& load, const Shares& shares) {
  auto x = load(e), z = x;
  if (columns < 8) {
    for (size_t c = 0; c < columns; c += 2) {
      const T* from = e + c * vl;
      x = load(from), z = load(c + 1 < columns ? from + vl : from);
      vuint8m1_t a, b;
      shares(
          x, z, [] {}, a, b);
      __riscv_vse8_v_u8m1(room + c * vl, a, vl);
      __riscv_vse8_v_u8m1(room + (c + 1) * vl, b, vl);
    }
    return store_columns(room, y, step, columns, vl);
  }
  z = load(e + vl);
  for (size_t c = 0;;) {  // the last eight may be stored twice in parts
    const auto left = static_cast<ptrdiff_t>(columns - c - 8);
    const auto next = [&](ptrdiff_t by) {
      return [&, by] {
        e += by * static_cast<ptrdiff_t>(vl);
        x = load(e), z = load(e + vl);
      };
    };
    vuint8m1_t a0, a1, a2, a3, a4, a5, a6, a7;
    shares(x, z, next(2), a0, a1);
    shares(x, z, next(2), a2, a3);
    shares(x, z, next(2), a4, a5);
    shares(x, z, next(left == 0 ? 0 : left < 8 ? left - 6 : 2), a6, a7);
    __riscv_vssseg8e8_v_u8m1x8(y + c, step,
                               __riscv_vcreate_v_u8m1x8(a0, a1, a2, a3, a4, a5, a6, a7), vl);
    if (left == 0) return;
    c += left < 8 ? static_cast<size_t>(left) : 8;
  }
}

/// use(pairs, number of the first, how many), the next loaded before.
template <class Use>
[[gnu::always_inline]] inline void each_pair(const uint8_t* x, ptrdiff_t step, size_t rows,
                                             const Use& use) {
  const auto load = [&](size_t i, size_t vl) {
    const uint8_t* from = x + static_cast<int64_t>(i) * step;
    return step == 2 ? __riscv_vlseg2e8_v_u8m2x2(from, vl)
                     : __riscv_vlsseg2e8_v_u8m2x2(from, step, vl);
  };
  size_t i = 0, now = __riscv_vsetvl_e8m2(rows), next = 0;
  vuint8m2x2_t even = load(0, now);
  for (;;) {
    next = __riscv_vsetvl_e8m2(rows - i - now);
    const vuint8m2x2_t odd = load(i + now, next);
    use(even, i, now);
    i += now;
    if (next == 0) return;
    now = __riscv_vsetvl_e8m2(rows - i - next);
    even = load(i + next, now);
    use(odd, i, next);
    i += next;
    if (now == 0) return;
  }
}

/// Rows of two by the results of all distances.
[[gnu::noinline]] inline void look_up_pairs(Pairs& pairs, const uint8_t* x, ptrdiff_t x_step,
                                            uint8_t* y, ptrdiff_t y_step, size_t rows) {
  const auto first = [](vuint8m2x2_t v) {
    return __riscv_vreinterpret_v_u8m2_i8m2(__riscv_vget_v_u8m2x2_u8m2(v, 0));
  };
  const auto second = [](vuint8m2x2_t v) {
    return __riscv_vreinterpret_v_u8m2_i8m2(__riscv_vget_v_u8m2x2_u8m2(v, 1));
  };
  each_pair(x, x_step, rows, [&](vuint8m2x2_t v, size_t i, size_t vl) {
    const vint8m2_t d = __riscv_vsub_vv_i8m2(__riscv_vmax_vv_i8m2(first(v), second(v), vl),
                                             __riscv_vmin_vv_i8m2(first(v), second(v), vl), vl);
    __riscv_vse8_v_u8m2(pairs.distance + i, __riscv_vreinterpret_v_i8m2_u8m2(d), vl);
  });
  look_up(pairs.large, pairs.distance, pairs.of_large, rows);
  look_up(pairs.small, pairs.distance, pairs.of_small, rows);
  each_pair(x, x_step, rows, [&](vuint8m2x2_t v, size_t i, size_t vl) {
    const vuint8m2_t large = __riscv_vle8_v_u8m2(pairs.of_large + i, vl);
    const vuint8m2_t small = __riscv_vle8_v_u8m2(pairs.of_small + i, vl);
    const vbool4_t falls = __riscv_vmsge_vv_i8m2_b4(first(v), second(v), vl);
    const vuint8m2x2_t out =
        __riscv_vcreate_v_u8m2x2(__riscv_vmerge_vvm_u8m2(small, large, falls, vl),
                                 __riscv_vmerge_vvm_u8m2(large, small, falls, vl));
    uint8_t* to = y + static_cast<int64_t>(i) * y_step;
    y_step == 2 ? __riscv_vsseg2e8_v_u8m2x2(to, out, vl)
                : __riscv_vssseg2e8_v_u8m2x2(to, y_step, out, vl);
  });
}

/// The same, all in registers: VLEN 512. Results are exchanged, by the bits in which they differ,
/// where the first is the smaller one; the next pairs are asked for before.
[[gnu::noinline]] inline void look_up_pairs_m4(const Pairs& pairs, const uint8_t* x,
                                               ptrdiff_t x_step, uint8_t* y, ptrdiff_t y_step,
                                               size_t rows) {
  const vuint8m4_t larges = __riscv_vle8_v_u8m4(pairs.large, 256),
                   smalls = __riscv_vle8_v_u8m4(pairs.small, 256);
  const auto load = [&](size_t vl) {
    return x_step == 2 ? __riscv_vlseg2e8_v_u8m4x2(x, vl)
                       : __riscv_vlsseg2e8_v_u8m4x2(x, x_step, vl);
  };
  size_t vl = __riscv_vsetvl_e8m4(rows);
  for (vuint8m4x2_t v = load(vl); rows > 0;) {
    const vint8m4_t a = __riscv_vreinterpret_v_u8m4_i8m4(__riscv_vget_v_u8m4x2_u8m4(v, 0)),
                    b = __riscv_vreinterpret_v_u8m4_i8m4(__riscv_vget_v_u8m4x2_u8m4(v, 1));
    const vuint8m4_t distance = __riscv_vreinterpret_v_i8m4_u8m4(
        __riscv_vsub_vv_i8m4(__riscv_vmax_vv_i8m4(a, b, vl), __riscv_vmin_vv_i8m4(a, b, vl), vl));
    const vbool2_t rises = __riscv_vmslt_vv_i8m4_b2(a, b, vl);
    vuint8m4_t first = __riscv_vrgather_vv_u8m4(larges, distance, vl);
    vuint8m4_t second = __riscv_vrgather_vv_u8m4(smalls, distance, vl);
    const size_t now = vl;
    in_order(second);
    rows -= now, x += static_cast<ptrdiff_t>(now) * x_step;
    vl = __riscv_vsetvl_e8m4(rows);
    v = load(vl);
    const vuint8m4_t both = __riscv_vxor_vv_u8m4(first, second, now);
    first = __riscv_vxor_vv_u8m4_mu(rises, first, first, both, now);
    second = __riscv_vxor_vv_u8m4_mu(rises, second, second, both, now);
    const vuint8m4x2_t out = __riscv_vcreate_v_u8m4x2(first, second);
    y_step == 2 ? __riscv_vsseg2e8_v_u8m4x2(y, out, now)
                : __riscv_vssseg2e8_v_u8m4x2(y, y_step, out, now);
    y += static_cast<ptrdiff_t>(now) * y_step;
  }
}

/// Many rows of two; `together` computes some rows side by side.
template <class Together>
void pairs_of(Roomful& room, const uint8_t* x, ptrdiff_t x_step, uint8_t* y, ptrdiff_t y_step,
              size_t rows, const Together& together) {
  auto& pairs = *reinterpret_cast<Pairs*>(room.e + 512);
  for (size_t d = 0, vl; d < 256; d += vl) {
    vl = __riscv_vsetvl_e8m1(256 - d);
    const vuint8m1_t zero = __riscv_vmv_v_x_u8m1(127, vl);
    const vuint8m1_t less =
        __riscv_vrsub_vx_u8m1(__riscv_vid_v_u8m1(vl), static_cast<uint8_t>(127 - d), vl);
    __riscv_vsseg2e8_v_u8m1x2(pairs.x + 2 * d, __riscv_vcreate_v_u8m1x2(zero, less), vl);
    together(pairs.x + 2 * d, 2, pairs.y + 2 * d, 2, 2, vl);
    const vuint8m1x2_t v = __riscv_vlseg2e8_v_u8m1x2(pairs.y + 2 * d, vl);
    __riscv_vse8_v_u8m1(pairs.large + d, __riscv_vget_v_u8m1x2_u8m1(v, 0), vl);
    __riscv_vse8_v_u8m1(pairs.small + d, __riscv_vget_v_u8m1x2_u8m1(v, 1), vl);
  }
  if (__riscv_vlenb() == 64) return look_up_pairs_m4(pairs, x, x_step, y, y_step, rows);
  for (size_t n; rows > 0; rows -= n) {
    n = rows < kMostPairs ? rows : kMostPairs;
    look_up_pairs(pairs, x, x_step, y, y_step, n);
    x += static_cast<int64_t>(n) * x_step, y += static_cast<int64_t>(n) * y_step;
  }
}

/// 0..256 in halves, above 0, as int8 from -128 on: halves up.
inline void signed_bytes(vuint16m2_t x, vuint16m2_t y, size_t shift, size_t vl, vuint8m1_t& a,
                         vuint8m1_t& b) {
  a = __riscv_vnclipu_wx_u8m1(x, shift, __RISCV_VXRM_RNU, vl);
  b = __riscv_vnclipu_wx_u8m1(y, shift, __RISCV_VXRM_RNU, vl);
  in_turn(a, b);
  a = __riscv_vxor_vx_u8m1(a, 0x80, vl), b = __riscv_vxor_vx_u8m1(b, 0x80, vl);
}
inline vuint8m1_t signed_byte(vuint16m2_t y, size_t shift, size_t vl) {
  return __riscv_vxor_vx_u8m1(__riscv_vnclipu_wx_u8m1(y, shift, __RISCV_VXRM_RNU, vl), 0x80, vl);
}

}  // namespace presil::dsp
