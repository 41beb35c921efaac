// Tables of 256 words of 32 bits: y = table[x], at VLEN 512.
//
// An indexed load finds a word a cycle. Gathers find one byte of each of 256 words in 32 cycles
// (lookup.h); what puts four bytes together are loads and stores of pairs in DTCM, which go on
// beside the gathers of the next 256: 4 x 32 cycles for 256 words, 0.5 each.
//   arithmetic: 4 x vrgather
//   load: vle8 of x; 4 x vle8 of a plane; 4 x vle8, 4 x vle16 of halves of pairs    8 + 32 + 64
//   store: 4 x vse8; 2 x vsseg2e8; 2 x vsseg2e16                                    32 + 32 + 32
#pragma once

#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/kernels/dsp/walk.h"

namespace presil::dsp {

/// planes[p][k] is byte p of words[k].
inline void planes_of(const void* words, uint8_t (*planes)[256]) {
  const auto* from = static_cast<const uint32_t*>(words);
  for (size_t first = 0, vl; first < 256; first += vl) {
    vl = __riscv_vsetvl_e32m4(256 - first);
    const vuint32m4_t word = __riscv_vle32_v_u32m4(from + first, vl);
    const vuint16m2_t low = __riscv_vnsrl_wx_u16m2(word, 0, vl),
                      high = __riscv_vnsrl_wx_u16m2(word, 16, vl);
    __riscv_vse8_v_u8m1(planes[0] + first, __riscv_vnsrl_wx_u8m1(low, 0, vl), vl);
    __riscv_vse8_v_u8m1(planes[1] + first, __riscv_vnsrl_wx_u8m1(low, 8, vl), vl);
    __riscv_vse8_v_u8m1(planes[2] + first, __riscv_vnsrl_wx_u8m1(high, 0, vl), vl);
    __riscv_vse8_v_u8m1(planes[3] + first, __riscv_vnsrl_wx_u8m1(high, 8, vl), vl);
  }
}

/// Of 256 elements, in DTCM.
struct PartsOfWords {
  uint8_t bytes[4][256];
  uint16_t halves[2][256];
};

/// y[i] = the word x[i] of which `planes` are the bytes, i < n.
[[gnu::noinline]] inline void look_up_words(const uint8_t (*planes)[256], const uint8_t* x, void* y,
                                            size_t n, PartsOfWords& parts) {
  constexpr size_t kWhole = 256, kHalf = kWhole / 2;
  const auto plane = [&](unsigned p) { return __riscv_vle8_v_u8m4(planes[p], kWhole); };
  // Loaded while the one before is gathered from, and not into its registers.
  const auto kept = [](const vuint8m4_t& v) { __asm__ volatile("" : : "vr"(v)); };
  const auto found = [](vuint8m4_t table, vuint8m4_t index, size_t vl) {
    vuint8m4_t v = __riscv_vrgather_vv_u8m4(table, index, vl);
    in_order(v);
    return v;
  };
  const auto put = [&](unsigned p, vuint8m4_t v, size_t vl) {
    __riscv_vse8_v_u8m4(parts.bytes[p], v, vl);
  };
  const auto to_half = [&](unsigned h, size_t vl) {
    const vuint8m4_t low = __riscv_vle8_v_u8m4(parts.bytes[2 * h], vl),
                     high = __riscv_vle8_v_u8m4(parts.bytes[2 * h + 1], vl);
    __riscv_vsseg2e8_v_u8m4x2(reinterpret_cast<uint8_t*>(parts.halves[h]),
                              __riscv_vcreate_v_u8m4x2(low, high), vl);
  };
  auto* to = static_cast<uint16_t*>(y);
  const auto to_words = [&](size_t from, size_t vl) {
    const vuint16m4_t low = __riscv_vle16_v_u16m4(parts.halves[0] + from, vl),
                      high = __riscv_vle16_v_u16m4(parts.halves[1] + from, vl);
    __riscv_vsseg2e16_v_u16m4x2(to + 2 * from, __riscv_vcreate_v_u16m4x2(low, high), vl);
  };
  size_t before = 0, vl = n < kWhole ? n : kWhole;
  vuint8m4_t even = plane(0), odd, a, b = even;
  // Bytes of elements with `index`, words of those before them. @return the next index
  const auto pass = [&](vuint8m4_t index) __attribute__((always_inline)) {
    a = found(even, index, vl);
    odd = plane(1), kept(even);
    put(3, b, before), to_half(0, before);
    b = found(odd, index, vl);
    even = plane(2), kept(odd);
    put(0, a, vl), to_half(1, before);
    a = found(even, index, vl);
    odd = plane(3), kept(even);
    const size_t first = before < kHalf ? before : kHalf;
    put(1, b, vl), to_words(0, first);
    b = found(odd, index, vl);
    x += vl, n -= vl;
    const size_t next = n < kWhole ? n : kWhole;
    const vuint8m4_t then = __riscv_vle8_v_u8m4(x, next);
    even = plane(0), kept(odd), kept(index);
    put(2, a, vl), to_words(kHalf, before - first);
    to += 2 * before;
    before = vl, vl = next;
    return then;
  };
  vuint8m4_t first = __riscv_vle8_v_u8m4(x, vl);
  do {
    const vuint8m4_t second = pass(first);
    if (before == 0) return;
    first = pass(second);
  } while (before > 0);
}

}  // namespace presil::dsp
