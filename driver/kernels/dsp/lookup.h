// Tables of 256 bytes: y = table[x], and the sum of such y.
//
// vrgather visits each register of the table: d x registers beats for d beats of results. A table
// fills 4 registers at VLEN 512, 2 at 1024, 8 at 256: 0.125, 0.06, 0.25 cycles per element at DLEN
// 256. At VLEN 128 it does not fit: an indexed load, an element a cycle.
//
// Vector instructions start in order, and what waits for a gather holds up all after it: results
// are used after the next gather has been asked for.
#pragma once

#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

namespace presil::dsp {

#define PRESIL_DSP_LOOKUP(m)                                                              \
  inline void look_up_##m(const uint8_t* table, const uint8_t* x, uint8_t* y, size_t n) { \
    const vuint8##m##_t entries = __riscv_vle8_v_u8##m(table, 256);                       \
    const auto found = [&](const uint8_t* at, size_t vl) {                                \
      return __riscv_vrgather_vv_u8##m(entries, __riscv_vle8_v_u8##m(at, vl), vl);        \
    };                                                                                    \
    const size_t whole = __riscv_vsetvl_e8##m(256);                                       \
    size_t i = 0;                                                                         \
    if (n >= 2 * whole) {                                                                 \
      vuint8##m##_t even = found(x, whole);                                               \
      for (; i + 3 * whole <= n; i += 2 * whole) {                                        \
        const vuint8##m##_t odd = found(x + i + whole, whole);                            \
        __riscv_vse8_v_u8##m(y + i, even, whole);                                         \
        even = found(x + i + 2 * whole, whole);                                           \
        __riscv_vse8_v_u8##m(y + i + whole, odd, whole);                                  \
      }                                                                                   \
      __riscv_vse8_v_u8##m(y + i, even, whole);                                           \
      i += whole;                                                                         \
    }                                                                                     \
    for (size_t vl; i < n; i += vl) {                                                     \
      vl = __riscv_vsetvl_e8##m(n - i);                                                   \
      __riscv_vse8_v_u8##m(y + i, found(x + i, vl), vl);                                  \
    }                                                                                     \
  }

PRESIL_DSP_LOOKUP(m2)
PRESIL_DSP_LOOKUP(m4)
PRESIL_DSP_LOOKUP(m8)
#undef PRESIL_DSP_LOOKUP

inline void look_up_indexed(const uint8_t* table, const uint8_t* x, uint8_t* y, size_t n) {
  for (size_t vl; n > 0; n -= vl, x += vl, y += vl) {
    vl = __riscv_vsetvl_e8m8(n);
    const vuint8m8_t index = __riscv_vle8_v_u8m8(x, vl);
    __riscv_vse8_v_u8m8(y, __riscv_vluxei8_v_u8m8(table, index, vl), vl);
  }
}

/// y[i] = table[x[i]]; y may be x.
inline void look_up(const uint8_t* table, const uint8_t* x, uint8_t* y, size_t n) {
  const size_t bytes = __riscv_vlenb();
  if (bytes == 64) return look_up_m4(table, x, y, n);
  if (bytes == 128) return look_up_m2(table, x, y, n);
  if (bytes == 32) return look_up_m8(table, x, y, n);
  look_up_indexed(table, x, y, n);
}

/// `sum` and table[x[i]] over i < n <= 65536. VLEN 512: sums in 256 lanes of 16 bits, which take
/// 257 terms.
inline vuint32m1_t look_up_sum_m4(const uint8_t* table, const uint8_t* x, size_t n,
                                  vuint32m1_t sum) {
  const vuint8m4_t entries = __riscv_vle8_v_u8m4(table, 256);
  const auto found = [&](const uint8_t* at, size_t vl) {
    return __riscv_vrgather_vv_u8m4(entries, __riscv_vle8_v_u8m4(at, vl), vl);
  };
  constexpr size_t kWhole = 256;
  vuint16m8_t lanes = __riscv_vmv_v_x_u16m8(0, kWhole);
  size_t i = 0;
  if (n >= 2 * kWhole) {
    vuint8m4_t even = found(x, kWhole);
    for (; i + 3 * kWhole <= n; i += 2 * kWhole) {
      const vuint8m4_t odd = found(x + i + kWhole, kWhole);
      lanes = __riscv_vwaddu_wv_u16m8(lanes, even, kWhole);
      even = found(x + i + 2 * kWhole, kWhole);
      lanes = __riscv_vwaddu_wv_u16m8(lanes, odd, kWhole);
    }
    lanes = __riscv_vwaddu_wv_u16m8(lanes, even, kWhole);
    i += kWhole;
  }
  for (size_t vl; i < n; i += vl) {
    vl = __riscv_vsetvl_e8m4(n - i);
    lanes = __riscv_vwaddu_wv_u16m8_tu(lanes, lanes, found(x + i, vl), vl);
  }
  return __riscv_vwredsumu_vs_u16m8_u32m1(lanes, sum, kWhole);
}

/// Nothing waits for the sum here: it stays in a vector.
inline vuint32m1_t look_up_sum(const uint8_t* table, const uint8_t* x, size_t n, vuint32m1_t sum) {
  constexpr size_t kMost = 65536;
  const bool lanes = __riscv_vlenb() == 64;
  while (lanes && n > 0) {
    const size_t part = n < kMost ? n : kMost;
    sum = look_up_sum_m4(table, x, part, sum);
    n -= part, x += part;
  }
  for (size_t vl; n > 0; n -= vl, x += vl) {
    vl = __riscv_vsetvl_e8m4(n < 256 ? n : 256);  // 256 x 255 fits in 16 bits
    const vuint16m1_t zero = __riscv_vmv_s_x_u16m1(0, 1);
    const vuint8m4_t found = __riscv_vluxei8_v_u8m4(table, __riscv_vle8_v_u8m4(x, vl), vl);
    const vuint16m1_t part = __riscv_vwredsumu_vs_u8m4_u16m1(found, zero, vl);
    sum = __riscv_vwredsumu_vs_u16m1_u32m1(part, sum, 1);
  }
  return sum;
}

}  // namespace presil::dsp
