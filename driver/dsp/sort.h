// Candidates in descending order of their scores, ties as they stand: keys that ascend where scores
// descend, each with what it belongs to.
//
// Few: the rank of each by comparing it with all (30 cycles each). Else by digits of 8 bits from
// the lowest on, which keeps ties; a digit that all have in common is passed over (25 cycles each
// and digit, 3,500 for the counts).
#pragma once

#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

namespace presil::dsp {

inline uint32_t bits_of(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float float_of(uint32_t bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

/// Ascends where x descends; -0 as +0. Not for what is no number.
inline uint32_t key_of(float x) {
  const uint32_t bits = bits_of(x + 0.0f);
  return bits >> 31 != 0 ? bits : ~bits & 0x7fffffff;
}
inline float score_of(uint32_t key) {
  return float_of(key >> 31 != 0 ? key : ~key & 0x7fffffff);
}

template <size_t kMost>
struct Candidates {
  static constexpr size_t kFew = 96;
  uint32_t keys[kMost], what[kMost];
  uint32_t other_keys[kMost], other_what[kMost];
  uint32_t counts[4][256];
  size_t n;

  void push(uint32_t key, uint32_t of) {
    keys[n] = key;
    what[n++] = of;
  }
  [[gnu::noinline]] void sort() { n <= kFew ? sort_few() : sort_many(); }

 private:
  void back() {
    for (size_t i = 0, vl; i < n; i += vl) {
      vl = __riscv_vsetvl_e32m8(n - i);
      __riscv_vse32_v_u32m8(keys + i, __riscv_vle32_v_u32m8(other_keys + i, vl), vl);
      __riscv_vse32_v_u32m8(what + i, __riscv_vle32_v_u32m8(other_what + i, vl), vl);
    }
  }
  void sort_few() {
    for (size_t i = 0; i < n; ++i) {
      const uint32_t key = keys[i];
      size_t rank = 0;
      for (size_t j = 0, vl; j < n; j += vl) {
        vl = __riscv_vsetvl_e32m4(n - j);
        const vuint32m4_t k = __riscv_vle32_v_u32m4(keys + j, vl);
        rank += __riscv_vcpop_m_b8(__riscv_vmsltu_vx_u32m4_b8(k, key, vl), vl);
        const size_t before = i > j ? (i - j < vl ? i - j : vl) : 0;
        rank += __riscv_vcpop_m_b8(__riscv_vmseq_vx_u32m4_b8(k, key, before), before);
      }
      other_keys[rank] = key;
      other_what[rank] = what[i];
    }
    back();
  }
  void sort_many() {
    for (size_t i = 0, vl; i < 1024; i += vl) {
      vl = __riscv_vsetvl_e32m8(1024 - i);
      __riscv_vse32_v_u32m8(&counts[0][0] + i, __riscv_vmv_v_x_u32m8(0, vl), vl);
    }
    for (size_t i = 0; i < n; ++i) {
      const uint32_t key = keys[i];
      ++counts[0][key & 255];
      ++counts[1][key >> 8 & 255];
      ++counts[2][key >> 16 & 255];
      ++counts[3][key >> 24];
    }
    uint32_t *from_keys = keys, *from_what = what, *to_keys = other_keys, *to_what = other_what;
    for (unsigned digit = 0; digit < 4; ++digit) {
      uint32_t* count = counts[digit];
      if (count[from_keys[0] >> 8 * digit & 255] == n) continue;
      uint32_t before = 0;
      for (unsigned value = 0; value < 256; ++value) {
        const uint32_t here = count[value];
        count[value] = before;
        before += here;
      }
      for (size_t i = 0; i < n; ++i) {
        const uint32_t key = from_keys[i];
        const uint32_t to = count[key >> 8 * digit & 255]++;
        to_keys[to] = key;
        to_what[to] = from_what[i];
      }
      uint32_t *k = from_keys, *w = from_what;
      from_keys = to_keys, from_what = to_what;
      to_keys = k, to_what = w;
    }
    if (from_keys != keys) back();
  }
};

/// Candidates of tables of any size, a roomful at a time: `found` holds the best of those behind a
/// given one. They must come in ascending order of `what`.
template <size_t kMost>
class Turn {
 public:
  explicit Turn(Candidates<kMost>& found) : m_found(found) {}

  /// The first turn; then next(): behind the last one that was found.
  void begin() {
    m_found.n = 0;
    m_complete = true;
  }
  void next() {
    m_behind = true;
    m_key = m_found.keys[m_found.n - 1], m_what = m_found.what[m_found.n - 1];
    begin();
  }
  /// @return false where there was no room: keys from limit() on need not come any more
  bool take(uint32_t key, uint32_t what) {
    if (m_behind && (key < m_key || (key == m_key && what <= m_what))) return true;
    if (m_found.n == kMost) make_room();
    // Those that are left stand before what comes now: an equal score is behind them.
    if (!m_complete && key >= m_limit) return false;
    m_found.push(key, what);
    return m_complete;
  }
  uint32_t limit() const { return m_limit; }
  /// Were these all?
  bool complete() const { return m_complete; }

 private:
  [[gnu::noinline]] void make_room() {
    m_found.sort();
    m_found.n = kMost / 2;
    m_complete = false;
    m_limit = m_found.keys[kMost / 2 - 1];
  }

  Candidates<kMost>& m_found;
  uint32_t m_key = 0, m_what = 0, m_limit = 0;
  bool m_behind = false, m_complete = true;
};

}  // namespace presil::dsp
