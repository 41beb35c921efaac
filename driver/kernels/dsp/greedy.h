// Boxes that have been taken, in lists by class, and boxes that come up, side by side: a lane is a
// box that comes up, all lanes look at one box of their class at a time.
//
// Is the quotient inter / (A + B - inter) above the limit? With c = limit / (1 + limit), a little
// less than that, it is not where inter - c A - c B is not above 0. Where this is more than A /
// 2^16 it is: then inter is at most A, so B is at most A / c, and no rounding of the quotient's
// terms comes near. What is in between is few, and computed as the operator defines it. Boxes
// without an inside, or with what is no number, neither overlap nor are overlapped: their c A is
// infinite. Areas too large or too small for this stand with minus infinity: always in between.
//
// A pair is 10 instructions on a lane: 2 vfmax, 2 vfmin, 2 vfsub, vfmax with 0, vfmsub, vfsub,
// vfmax: 1.25 cycles. A box that is taken suppresses others beside it at once: 8 instructions, each
// on what the one before it made, and a comparison, 40 cycles, and 20 of the core to put it down.
#pragma once

#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/kernels/dsp/suppress.h"

namespace presil::dsp {

/// A bit for each lane.
inline uint64_t lanes_of(vbool32_t mask, size_t vl) {
  const uint64_t bits = __riscv_vmv_x_s_u32m1_u32(__riscv_vreinterpret_v_b32_u32m1(mask));
  return bits & ((uint64_t{1} << vl) - 1);
}

template <size_t kMost>
class Greedy {
 public:
  static constexpr size_t kBlock = 64;

  /// @param limit above which boxes suppress one another, 0 or more; one class: all labels are 0
  void begin(float limit, bool one_class) {
    const bool tiny = limit < 0x1p-20f;  // an area may be any multiple of another one's
    m_one_class = one_class;
    m_share = tiny ? 0.0f : limit / (1.0f + limit) * (1.0f - 0x1p-18f);
    m_sure = tiny ? __builtin_inff() : 0x1p-16f;
    m_count = 0, m_longest = 0;
    __builtin_memset(m_newest, 0, sizeof m_newest);
    __builtin_memset(m_length, 0, sizeof m_length);
    m_entry[0] = {{0.0f, 0.0f, 0.0f, 0.0f}, __builtin_inff(), 0, 0, 0};
  }
  size_t count() const { return m_count; }

  /// Boxes that come up, from number `at` of a block on.
  void prepare(size_t at, vfloat32m2_t a0, vfloat32m2_t b0, vfloat32m2_t a1, vfloat32m2_t b1,
               vuint32m2_t label, size_t vl) {
    const vfloat32m2_t width = __riscv_vfsub_vv_f32m2(a1, a0, vl);
    const vfloat32m2_t height = __riscv_vfsub_vv_f32m2(b1, b0, vl);
    const vfloat32m2_t area = __riscv_vfmul_vv_f32m2(width, height, vl);
    const vbool16_t inside =
        __riscv_vmand_mm_b16(__riscv_vmand_mm_b16(__riscv_vmfgt_vf_f32m2_b16(width, 0.0f, vl),
                                                  __riscv_vmfgt_vf_f32m2_b16(height, 0.0f, vl), vl),
                             __riscv_vmfgt_vf_f32m2_b16(area, 0.0f, vl), vl);
    const vbool16_t usual =
        __riscv_vmand_mm_b16(__riscv_vmfge_vf_f32m2_b16(area, kLeast, vl),
                             __riscv_vmfle_vf_f32m2_b16(area, kLargest, vl), vl);
    vfloat32m2_t share = __riscv_vfmv_v_f_f32m2(-__builtin_inff(), vl);
    share = __riscv_vfmul_vf_f32m2_mu(usual, share, area, m_share, vl);
    share = __riscv_vfmerge_vfm_f32m2(share, __builtin_inff(), __riscv_vmnot_m_b16(inside, vl), vl);
    __riscv_vse32_v_f32m2(m_a0 + at, a0, vl);
    __riscv_vse32_v_f32m2(m_b0 + at, b0, vl);
    __riscv_vse32_v_f32m2(m_a1 + at, a1, vl);
    __riscv_vse32_v_f32m2(m_b1 + at, b1, vl);
    __riscv_vse32_v_f32m2(m_lane_share + at, share, vl);
    __riscv_vse32_v_f32m2(m_lane_sure + at, __riscv_vfmul_vf_f32m2(area, m_sure, vl), vl);
    __riscv_vse32_v_u32m2(m_label + at, label, vl);
  }

  /// `vl` boxes of the block, from number `first` on, in order: use(number) for those that are
  /// taken; it returns false when there are enough.
  /// @param valid a bit for each of them: those that are looked at
  /// @param above(taken box, box) as the operator defines it
  template <class Above, class Use>
  void come(size_t first, uint64_t valid, size_t vl, const Above& above, const Use& use) {
    const vfloat32m1_t a0 = __riscv_vle32_v_f32m1(m_a0 + first, vl);
    const vfloat32m1_t b0 = __riscv_vle32_v_f32m1(m_b0 + first, vl);
    const vfloat32m1_t a1 = __riscv_vle32_v_f32m1(m_a1 + first, vl);
    const vfloat32m1_t b1 = __riscv_vle32_v_f32m1(m_b1 + first, vl);
    const vfloat32m1_t share = __riscv_vle32_v_f32m1(m_lane_share + first, vl);
    const vfloat32m1_t sure = __riscv_vle32_v_f32m1(m_lane_sure + first, vl);
    const vuint32m1_t label = __riscv_vle32_v_u32m1(m_label + first, vl);
    const vfloat32m1_t none = __riscv_vfmv_v_f_f32m1(0.0f, vl);
    vfloat32m1_t most = none;  // of inter - c A - c B
    const auto pair = [&](const Entry& e) {
      most = __riscv_vfmax_vv_f32m1(most, with(a0, b0, a1, b1, share, e, vl), vl);
    };
    if (m_one_class) {
      size_t i = 1;
      for (; i < m_count; i += 2) {  // two alternately: what one waits for, the other one does
        const Entry &e = m_entry[i], &f = m_entry[i + 1];
        vfloat32m1_t el = __riscv_vfmax_vf_f32m1(a0, e.box.a0, vl);
        vfloat32m1_t er = __riscv_vfmin_vf_f32m1(a1, e.box.a1, vl);
        vfloat32m1_t fl = __riscv_vfmax_vf_f32m1(a0, f.box.a0, vl);
        vfloat32m1_t fr = __riscv_vfmin_vf_f32m1(a1, f.box.a1, vl);
        vfloat32m1_t eb = __riscv_vfmax_vf_f32m1(b0, e.box.b0, vl);
        vfloat32m1_t et = __riscv_vfmin_vf_f32m1(b1, e.box.b1, vl);
        vfloat32m1_t fb = __riscv_vfmax_vf_f32m1(b0, f.box.b0, vl);
        vfloat32m1_t ft = __riscv_vfmin_vf_f32m1(b1, f.box.b1, vl);
        __asm__ volatile(""
                         : "+vr"(el), "+vr"(er), "+vr"(fl), "+vr"(fr), "+vr"(eb), "+vr"(et),
                           "+vr"(fb), "+vr"(ft));
        er = __riscv_vfsub_vv_f32m1(er, el, vl), fr = __riscv_vfsub_vv_f32m1(fr, fl, vl);
        et = __riscv_vfsub_vv_f32m1(et, eb, vl), ft = __riscv_vfsub_vv_f32m1(ft, fb, vl);
        er = __riscv_vfmax_vf_f32m1(er, 0.0f, vl), fr = __riscv_vfmax_vf_f32m1(fr, 0.0f, vl);
        __asm__ volatile("" : "+vr"(er), "+vr"(et), "+vr"(fr), "+vr"(ft));
        er = __riscv_vfmsub_vv_f32m1(er, et, share, vl);
        fr = __riscv_vfmsub_vv_f32m1(fr, ft, share, vl);
        __asm__ volatile("" : "+vr"(er), "+vr"(fr));
        er = __riscv_vfsub_vf_f32m1(er, e.share, vl), fr = __riscv_vfsub_vf_f32m1(fr, f.share, vl);
        most = __riscv_vfmax_vv_f32m1(most, er, vl);
        most = __riscv_vfmax_vv_f32m1(most, fr, vl);
      }
      if (i == m_count) pair(m_entry[i]);
    } else if (m_longest > 0) {
      const auto looked = [&](vuint32m1x7_t e) {
        const auto field = [&](vuint32m1_t v) { return __riscv_vreinterpret_v_u32m1_f32m1(v); };
        const vfloat32m1_t left =
            __riscv_vfmax_vv_f32m1(a0, field(__riscv_vget_v_u32m1x7_u32m1(e, 0)), vl);
        const vfloat32m1_t right =
            __riscv_vfmin_vv_f32m1(a1, field(__riscv_vget_v_u32m1x7_u32m1(e, 2)), vl);
        const vfloat32m1_t low =
            __riscv_vfmax_vv_f32m1(b0, field(__riscv_vget_v_u32m1x7_u32m1(e, 1)), vl);
        const vfloat32m1_t high =
            __riscv_vfmin_vv_f32m1(b1, field(__riscv_vget_v_u32m1x7_u32m1(e, 3)), vl);
        vfloat32m1_t rest =
            __riscv_vfmax_vf_f32m1(__riscv_vfsub_vv_f32m1(right, left, vl), 0.0f, vl);
        rest = __riscv_vfmsub_vv_f32m1(rest, __riscv_vfsub_vv_f32m1(high, low, vl), share, vl);
        rest = __riscv_vfsub_vv_f32m1(rest, field(__riscv_vget_v_u32m1x7_u32m1(e, 4)), vl);
        const vbool32_t same =
            __riscv_vmseq_vv_u32m1_b32(label, __riscv_vget_v_u32m1x7_u32m1(e, 5), vl);
        most = __riscv_vfmax_vv_f32m1_mu(same, most, most, rest, vl);
      };
      const auto entries = [&](vuint32m1_t at) {
        return __riscv_vluxseg7ei32_v_u32m1x7(reinterpret_cast<const uint32_t*>(m_entry), at, vl);
      };
      const vuint32m1_t list =
          __riscv_vsll_vx_u32m1(__riscv_vand_vx_u32m1(label, kLists - 1, vl), 2, vl);
      vuint32m1x7_t even = entries(__riscv_vluxei32_v_u32m1(m_newest, list, vl));
      for (size_t k = m_longest;;) {
        if (--k == 0) {
          looked(even);
          break;
        }
        const vuint32m1x7_t odd = entries(__riscv_vget_v_u32m1x7_u32m1(even, 6));
        looked(even);
        if (--k == 0) {
          looked(odd);
          break;
        }
        even = entries(__riscv_vget_v_u32m1x7_u32m1(odd, 6));
        looked(odd);
      }
    }
    // Of lanes that are alive, as bits, those that nothing suppresses.
    const auto survivors = [&](uint64_t alive, const auto& exactly) {
      const uint64_t maybe = alive & lanes_of(__riscv_vmfgt_vf_f32m1_b32(most, 0.0f, vl), vl);
      if (maybe == 0) return alive;
      const vbool32_t certain =
          __riscv_vmand_mm_b32(__riscv_vmfge_vv_f32m1_b32(most, sure, vl),
                               __riscv_vmfle_vf_f32m1_b32(most, 2 * kLargest, vl), vl);
      uint64_t gone = maybe & lanes_of(certain, vl);
      for (uint64_t left = maybe & ~gone; left != 0; left &= left - 1) {
        if (exactly(first + static_cast<size_t>(__builtin_ctzll(left)))) gone |= left & -left;
      }
      return alive & ~gone;
    };
    uint64_t alive = survivors(valid, [&](size_t lane) {
      const uint32_t own = m_label[lane];
      for (uint32_t e = m_newest[own % kLists]; e != 0; e = entry_at(e).next) {
        if (entry_at(e).label == own && above(entry_at(e).box, box(lane))) return true;
      }
      return false;
    });
    while (alive != 0) {
      const size_t lane = first + static_cast<size_t>(__builtin_ctzll(alive));
      alive &= alive - 1;
      const bool more = use(lane);
      add(lane);
      if (!more) return;
      if (alive == 0) return;
      const Entry& e = m_entry[m_count];
      const vbool32_t same = __riscv_vmseq_vx_u32m1_b32(label, e.label, vl);
      most = __riscv_vfmax_vv_f32m1_mu(same, none, none, with(a0, b0, a1, b1, share, e, vl), vl);
      alive = survivors(alive, [&](size_t other) { return above(e.box, box(other)); });
    }
  }
  Box box(size_t lane) const { return {m_a0[lane], m_b0[lane], m_a1[lane], m_b1[lane]}; }
  uint32_t label(size_t lane) const { return m_label[lane]; }

 private:
  static constexpr size_t kLists = 256;
  static constexpr float kLeast = 0x1p-100f, kLargest = 0x1p100f;
  struct Entry {
    Box box;
    float share;                   // c A
    uint32_t label, next, unused;  // next: bytes from the first entry, which overlaps nothing
  };

  static vfloat32m1_t with(vfloat32m1_t a0, vfloat32m1_t b0, vfloat32m1_t a1, vfloat32m1_t b1,
                           vfloat32m1_t share, const Entry& e, size_t vl) {
    const vfloat32m1_t left = __riscv_vfmax_vf_f32m1(a0, e.box.a0, vl);
    const vfloat32m1_t right = __riscv_vfmin_vf_f32m1(a1, e.box.a1, vl);
    const vfloat32m1_t low = __riscv_vfmax_vf_f32m1(b0, e.box.b0, vl);
    const vfloat32m1_t high = __riscv_vfmin_vf_f32m1(b1, e.box.b1, vl);
    vfloat32m1_t rest = __riscv_vfmax_vf_f32m1(__riscv_vfsub_vv_f32m1(right, left, vl), 0.0f, vl);
    rest = __riscv_vfmsub_vv_f32m1(rest, __riscv_vfsub_vv_f32m1(high, low, vl), share, vl);
    return __riscv_vfsub_vf_f32m1(rest, e.share, vl);
  }
  const Entry& entry_at(uint32_t bytes) const { return m_entry[bytes / sizeof(Entry)]; }
  void add(size_t lane) {
    const uint32_t own = m_label[lane], list = own % kLists;
    m_entry[++m_count] = {box(lane), m_lane_share[lane], own, m_newest[list], 0};
    m_newest[list] = static_cast<uint32_t>(m_count * sizeof(Entry));
    const uint16_t length = ++m_length[list];
    if (length > m_longest) m_longest = length;
  }

  float m_share, m_sure;
  bool m_one_class;
  size_t m_count, m_longest;
  uint32_t m_newest[kLists];
  uint16_t m_length[kLists];
  float m_a0[kBlock], m_b0[kBlock], m_a1[kBlock], m_b1[kBlock];
  float m_lane_share[kBlock], m_lane_sure[kBlock];
  uint32_t m_label[kBlock];
  Entry m_entry[kMost + 1];
};

}  // namespace presil::dsp
