// Boxes that have been taken, and whether one of them overlaps another box too much.
//
// All that are taken of a class are looked at side by side, with a product in the place of the
// quotient: those with inter - (area + area' - inter) * limit * (1 - 2^-18) not below 0 are few and
// contain all whose quotient is above the limit. Of these each quotient is made as the operator
// defines it. A box that is no number has an area that is none: its comparison is false, as that of
// the quotient.
#pragma once

#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

namespace presil::dsp {

/// Low and high edges along two axes.
struct Box {
  float a0, b0, a1, b1;
  float area() const { return (a1 - a0) * (b1 - b0); }
};

/// Up to kMost boxes, in lists by class; classes 16 apart share one.
template <size_t kMost>
class Taken {
 public:
  void clear() {
    m_count = 0, m_blocks = 0;
    for (List& list : m_lists) list = {kNone, 0};
  }
  size_t count() const { return m_count; }

  void add(const Box& box, uint32_t label) {
    List& list = m_lists[label % kLists];
    if (list.first == kNone || list.count == kBlock) {
      m_next[m_blocks] = list.first;
      list = {static_cast<uint32_t>(m_blocks++), 0};
    }
    Block& to = m_block[list.first];
    const uint32_t i = list.count++;
    to.a0[i] = box.a0, to.b0[i] = box.b0, to.a1[i] = box.a1, to.b1[i] = box.b1;
    to.area[i] = box.area(), to.label[i] = label;
    ++m_count;
  }

  /// Is above(taken box, box) true for one of this label?
  /// @param limit what `above` compares with, 0 or more
  template <class Above>
  bool suppresses(const Box& box, uint32_t label, float limit, const Above& above) const {
    const List& list = m_lists[label % kLists];
    const float near = limit * (1.0f - 0x1p-18f);
    size_t count = list.count;
    for (uint32_t b = list.first; b != kNone; b = m_next[b], count = kBlock) {
      const Block& block = m_block[b];
      for (size_t i = 0, vl; i < count; i += vl) {
        vl = __riscv_vsetvl_e32m4(count - i);
        vbool8_t hits = maybe(block, i, box, label, near, vl);
        for (long k; (k = __riscv_vfirst_m_b8(hits, vl)) >= 0;) {
          const size_t n = i + static_cast<size_t>(k);
          if (above({block.a0[n], block.b0[n], block.a1[n], block.b1[n]}, box)) return true;
          hits = __riscv_vmandn_mm_b8(hits, __riscv_vmsif_m_b8(hits, vl), vl);
        }
      }
    }
    return false;
  }

 private:
  static constexpr size_t kLists = 16, kBlock = 32;
  static constexpr uint32_t kNone = ~0u;
  struct Block {
    float a0[kBlock], b0[kBlock], a1[kBlock], b1[kBlock], area[kBlock];
    uint32_t label[kBlock];
  };
  struct List {
    uint32_t first, count;  // of its newest block; older ones are full
  };

  static vbool8_t maybe(const Block& taken, size_t i, const Box& box, uint32_t label, float near,
                        size_t vl) {
    const auto overlap = [vl](const float* low, const float* high, float own_low, float own_high) {
      const vfloat32m4_t l = __riscv_vfmax_vf_f32m4(__riscv_vle32_v_f32m4(low, vl), own_low, vl);
      const vfloat32m4_t h = __riscv_vfmin_vf_f32m4(__riscv_vle32_v_f32m4(high, vl), own_high, vl);
      return __riscv_vfmax_vf_f32m4(__riscv_vfsub_vv_f32m4(h, l, vl), 0.0f, vl);
    };
    const vbool8_t same =
        __riscv_vmseq_vx_u32m4_b8(__riscv_vle32_v_u32m4(taken.label + i, vl), label, vl);
    const vfloat32m4_t inter =
        __riscv_vfmul_vv_f32m4(overlap(taken.a0 + i, taken.a1 + i, box.a0, box.a1),
                               overlap(taken.b0 + i, taken.b1 + i, box.b0, box.b1), vl);
    const vfloat32m4_t together = __riscv_vfsub_vv_f32m4(
        __riscv_vfadd_vf_f32m4(__riscv_vle32_v_f32m4(taken.area + i, vl), box.area(), vl), inter,
        vl);
    const vfloat32m4_t rest = __riscv_vfnmsac_vf_f32m4(inter, near, together, vl);
    return __riscv_vmand_mm_b8(same, __riscv_vmfge_vf_f32m4_b8(rest, 0.0f, vl), vl);
  }

  size_t m_count, m_blocks;
  List m_lists[kLists];
  uint32_t m_next[kMost / kBlock + kLists];
  Block m_block[kMost / kBlock + kLists];
};

}  // namespace presil::dsp
