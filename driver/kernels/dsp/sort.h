// Candidates in descending order of their scores, ties as they stand: keys that ascend where scores
// descend, above what each belongs to, as one number of 64 bits.
//
// In place, and no further than a caller asks. Many of them: at first into parts by the
// leading bits in which keys differ, about one for four candidates; then, from the best on, a part
// at a time, by insertion, a long part split again. Few of many: the least key of each
// register group is kept, and the least of these taken out.
//
// Bound: 40 cycles per candidate of the core. 7 to count (lwu sub srl sh1add lhu addi sh); 13 to
// move (sh1add lhu addi sh sh3add ld sd srl sub srl, a branch back 3); 14 in a part of four (ld ld
// bltu sd and 4 for the next one; one element further ld sd addi and a branch back); a quarter of
// 24 for the part (lhu add sh sh and 5 for the next one; 6 to see that all are in it; 9 to begin
// and to end). Of few of many: 0.5 per candidate, 52 for each of them.
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

/// Ascends where x descends; -0 as +0. Not for what is no number. `score_of` its way back.
inline vuint32m4_t keys_of(vfloat32m4_t x, size_t vl) {
  const vint32m4_t bits = __riscv_vreinterpret_v_f32m4_i32m4(__riscv_vfadd_vf_f32m4(x, 0.0f, vl));
  const vbool8_t negative = __riscv_vmslt_vx_i32m4_b8(bits, 0, vl);
  const vint32m4_t key =
      __riscv_vmerge_vvm_i32m4(__riscv_vxor_vx_i32m4(bits, 0x7fffffff, vl), bits, negative, vl);
  return __riscv_vreinterpret_v_i32m4_u32m4(key);
}
inline float score_of(uint32_t key) {
  return float_of(key >> 31 != 0 ? key : ~key & 0x7fffffff);
}

struct Candidates {
  static constexpr size_t kMost = 8960;
  uint64_t none;       // 0: before all
  uint64_t at[kMost];  // key << 32 | what
  size_t n;

  static uint32_t key(uint64_t candidate) { return static_cast<uint32_t>(candidate >> 32); }
  static uint32_t what(uint64_t candidate) { return static_cast<uint32_t>(candidate); }

  /// Into parts. Then sorted(m): as many as that, or all, stand in order.
  [[gnu::noinline]] void order() {
    none = 0, m_sorted = 0, m_part = 0;
    if (n == 0) return;
    uint32_t low, range;
    extent(low, range);
    const unsigned bits = range == 0 ? 0 : 32 - static_cast<unsigned>(__builtin_clz(range));
    unsigned parts_log2 = 4;
    while (parts_log2 < kPartsLog2 && n >> (parts_log2 + 2) != 0) ++parts_log2;
    const unsigned shift = bits > parts_log2 ? bits - parts_log2 : 0;
    const size_t parts = (range >> shift) + 1;
    split(at, n, uint64_t{low} << 32, 32 + shift, parts, m_next, m_end);
  }
  [[gnu::noinline]] size_t sorted(size_t count_asked) {
    for (const size_t until = count_asked < n ? count_asked : n; m_sorted < until; ++m_part) {
      const size_t end = m_end[m_part];
      if (end > m_sorted + 1) sort_part(at + m_sorted, end - m_sorted);
      m_sorted = end;
    }
    return m_sorted;
  }

  /// Another way, for few of many: the least key of each register group; then one after the other,
  /// least first, while there are some.
  [[gnu::noinline]] void groups() {
    const size_t lanes = __riscv_vsetvlmax_e32m4();
    m_groups = 0;
    for (size_t i = 0; i < n; i += lanes, ++m_groups) {
      const size_t vl = n - i < lanes ? n - i : lanes;
      put_least(m_groups, keys_at(i, vl), vl);
    }
  }
  /// The same while they come, a register group at a time: n and groups begin at 0.
  void clear_groups() { n = 0, m_groups = 0; }
  void put_group(vuint32m4_t key, vuint32m4_t what, size_t vl) {
    put_least(m_groups++, key, vl);
    put(key, what, vl);
  }
  /// After those that there are.
  void put(vuint32m4_t key, vuint32m4_t what, size_t vl) {
    __riscv_vsseg2e32_v_u32m4x2(reinterpret_cast<uint32_t*>(at + n),
                                __riscv_vcreate_v_u32m4x2(what, key), vl);
    n += vl;
  }
  [[gnu::noinline]] uint64_t pop() {
    const size_t lanes = __riscv_vsetvlmax_e32m4(), groups = m_groups;
    size_t vl = groups < lanes ? groups : lanes;
    vuint32m4_t leasts = __riscv_vle32_v_u32m4(m_least, vl);
    for (size_t i = lanes; i < groups; i += lanes) {
      const size_t some = groups - i < lanes ? groups - i : lanes;
      leasts =
          __riscv_vminu_vv_u32m4_tu(leasts, leasts, __riscv_vle32_v_u32m4(m_least + i, some), some);
    }
    const uint32_t least = __riscv_vmv_x_s_u32m1_u32(
        __riscv_vredminu_vs_u32m4_u32m1(leasts, __riscv_vmv_s_x_u32m1(kGone, 1), vl));
    size_t group = 0;
    for (long at; group < groups; group += vl) {
      vl = __riscv_vsetvl_e32m4(groups - group);
      const vuint32m4_t some = __riscv_vle32_v_u32m4(m_least + group, vl);
      if ((at = __riscv_vfirst_m_b8(__riscv_vmseq_vx_u32m4_b8(some, least, vl), vl)) >= 0) {
        group += static_cast<size_t>(at);
        break;
      }
    }
    const size_t first = group * lanes;
    vl = n - first < lanes ? n - first : lanes;
    const vuint32m4_t keys = keys_at(first, vl);
    const vbool8_t equal = __riscv_vmseq_vx_u32m4_b8(keys, least, vl);
    uint64_t& place = at[first + static_cast<size_t>(__riscv_vfirst_m_b8(equal, vl))];
    put_least(group, __riscv_vmerge_vxm_u32m4(keys, kGone, __riscv_vmsof_m_b8(equal, vl), vl), vl);
    const uint64_t candidate = place;
    place |= uint64_t{kGone} << 32;
    return candidate;
  }

 private:
  static constexpr unsigned kPartsLog2 = 11;
  static constexpr size_t kShort = 32;
  static constexpr uint32_t kGone = ~0u;

  vuint32m4_t keys_at(size_t first, size_t vl) const {
    return __riscv_vget_v_u32m4x2_u32m4(
        __riscv_vlseg2e32_v_u32m4x2(reinterpret_cast<const uint32_t*>(at + first), vl), 1);
  }
  void put_least(size_t group, vuint32m4_t keys, size_t vl) {
    __riscv_vse32_v_u32m1(
        m_least + group, __riscv_vredminu_vs_u32m4_u32m1(keys, __riscv_vmv_s_x_u32m1(kGone, 1), vl),
        1);
  }

  /// The lowest key, and how far the highest is above it.
  void extent(uint32_t& low, uint32_t& range) const {
    const size_t lanes = __riscv_vsetvlmax_e32m4();
    vuint32m4_t lows = __riscv_vmv_v_x_u32m4(~0u, lanes), highs = __riscv_vmv_v_x_u32m4(0, lanes);
    for (size_t i = 0, vl; i < n; i += vl) {
      vl = __riscv_vsetvl_e32m4(n - i);
      const vuint32m4_t keys = keys_at(i, vl);
      lows = __riscv_vminu_vv_u32m4_tu(lows, lows, keys, vl);
      highs = __riscv_vmaxu_vv_u32m4_tu(highs, highs, keys, vl);
    }
    const vuint32m1_t most = __riscv_vmv_s_x_u32m1(~0u, 1), least = __riscv_vmv_s_x_u32m1(0, 1);
    low = __riscv_vmv_x_s_u32m1_u32(__riscv_vredminu_vs_u32m4_u32m1(lows, most, lanes));
    range = __riscv_vmv_x_s_u32m1_u32(__riscv_vredmaxu_vs_u32m4_u32m1(highs, least, lanes)) - low;
  }
  /// Part p holds those with (candidate - low) >> shift = p, and ends before end[p].
  [[gnu::noinline]] static void split(uint64_t* from, size_t count, uint64_t low, unsigned shift,
                                      size_t parts, uint16_t* next, uint16_t* end) {
    const auto part_of = [low, shift](uint64_t candidate) { return (candidate - low) >> shift; };
    __builtin_memset(next, 0, parts * sizeof next[0]);
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      const uint64_t a = part_of(from[i]), b = part_of(from[i + 1]);
      const uint64_t c = part_of(from[i + 2]), d = part_of(from[i + 3]);
      ++next[a], ++next[b], ++next[c], ++next[d];
    }
    for (; i < count; ++i) ++next[part_of(from[i])];
    uint32_t before = 0;
    for (size_t part = 0; part < parts; ++part) {
      const uint32_t here = next[part];
      next[part] = static_cast<uint16_t>(before);
      end[part] = static_cast<uint16_t>(before += here);
    }
    for (size_t part = 0; part < parts; ++part) {
      for (i = next[part]; i < end[part]; i = next[part]) {
        uint64_t moving = from[i];
        for (size_t to; (to = part_of(moving)) != part;) {
          uint64_t& place = from[next[to]++];
          const uint64_t other = place;
          place = moving, moving = other;
        }
        from[i] = moving;
        next[part] = static_cast<uint16_t>(i + 1);
      }
    }
  }
  /// What stands before a part is not after any of it.
  static void sort_part(uint64_t* from, size_t count) {
    if (__builtin_expect(count > kShort, false)) return sort_long(from, count);
    for (uint64_t *next = from + 1, *end = from + count; next != end; ++next) {
      const uint64_t own = *next;
      uint64_t *to = next, before;
      for (; (before = to[-1]) > own; --to) *to = before;
      *to = own;
    }
  }
  /// Splits it again, at most ten times: all are different, and each time six bits more are alike.
  [[gnu::noinline]] static void sort_long(uint64_t* from, size_t count) {
    uint64_t low = ~uint64_t{0}, high = 0;
    for (size_t i = 0; i < count; ++i) {
      low = from[i] < low ? from[i] : low, high = from[i] > high ? from[i] : high;
    }
    const unsigned bits = 64 - static_cast<unsigned>(__builtin_clzll(high - low));
    const unsigned shift = bits > 6 ? bits - 6 : 0;
    uint16_t next[64], end[64];
    split(from, count, low, shift, ((high - low) >> shift) + 1, next, end);
    for (size_t begin = 0, part = 0; begin < count; begin = end[part++]) {
      if (end[part] > begin + 1) sort_part(from + begin, end[part] - begin);
    }
  }

  size_t m_sorted, m_part, m_groups;
  union {
    uint16_t m_next[1 << kPartsLog2];  // where the next one of a part goes
    uint32_t m_least[kMost / 16];      // of a group
  };
  uint16_t m_end[1 << kPartsLog2];
};

/// Candidates of tables of any size, a roomful at a time: `found` holds the best of those after a
/// given one.
class Turn {
 public:
  explicit Turn(Candidates& found) : m_found(found) {}

  /// The first turn; then next(): after the last one of those that were found.
  void begin() {
    m_found.n = 0;
    m_complete = true;
  }
  void next(uint64_t last) {
    m_later = true;
    m_last = last;
    begin();
  }
  [[gnu::noinline]] void take(vuint32m4_t key, vuint32m4_t what, size_t vl) {
    for (;;) {
      if (m_later) choose<true>(key, what, vl, m_last);
      if (!m_complete) choose<false>(key, what, vl, m_limit);
      if (m_found.n + vl <= Candidates::kMost) break;
      make_room();
    }
    m_found.put(key, what, vl);
  }
  /// Were these all? If not, none from limit() on will enter any more.
  bool complete() const { return m_complete; }
  uint64_t limit() const { return m_limit; }

 private:
  /// Those above, or below, a candidate.
  template <bool above>
  static void choose(vuint32m4_t& key, vuint32m4_t& what, size_t& vl, uint64_t than) {
    const uint32_t k = static_cast<uint32_t>(than >> 32), w = static_cast<uint32_t>(than);
    const vbool8_t apart =
        above ? __riscv_vmsgtu_vx_u32m4_b8(key, k, vl) : __riscv_vmsltu_vx_u32m4_b8(key, k, vl);
    const vbool8_t later =
        above ? __riscv_vmsgtu_vx_u32m4_b8(what, w, vl) : __riscv_vmsltu_vx_u32m4_b8(what, w, vl);
    const vbool8_t equal = __riscv_vmseq_vx_u32m4_b8(key, k, vl);
    const vbool8_t chosen = __riscv_vmor_mm_b8(apart, __riscv_vmand_mm_b8(equal, later, vl), vl);
    key = __riscv_vcompress_vm_u32m4(key, chosen, vl);
    what = __riscv_vcompress_vm_u32m4(what, chosen, vl);
    vl = __riscv_vcpop_m_b8(chosen, vl);
  }
  [[gnu::noinline]] void make_room() {
    constexpr size_t half = Candidates::kMost / 2;
    m_found.order();
    m_found.sorted(half);
    m_found.n = half;
    m_complete = false;
    m_limit = m_found.at[half - 1];
  }

  Candidates& m_found;
  uint64_t m_last = 0, m_limit = 0;
  bool m_later = false, m_complete = true;
};

}  // namespace presil::dsp
