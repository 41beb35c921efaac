// What every vector instruction does around its loop. Always inlined: files for different hosts
// include this.
#pragma once

#include <cstring>

#include "models/dsp/dsp_hart.h"
#include "models/dsp/dsp_vector_op.h"

namespace presil::dsp {

#define PRESIL_DSP_INLINE [[gnu::always_inline]] inline

/// When the instruction starts and how long its sequencer is busy.
void start_arithmetic(Hart& h, const Decoded* o);
void start_access(Hart& h, const Decoded* o, Extent extent);
/// The core stands still until a cycle of the vector unit.
void wait_for_vectors(Hart& h, const Decoded* o, uint64_t until);

PRESIL_DSP_INLINE void start(Hart& h, const Decoded* o) {
  if (h.timed) start_arithmetic(h, o);
}

PRESIL_DSP_INLINE Call call_of(Hart& h, const Decoded& o, const VectorOp& v) {
  Call c;
  c.d = h.v + v.d;
  c.was = c.d;
  c.s2 = h.v + v.s2;
  c.s1 = h.v + v.s1;
  c.scalar = v.form == kVX ? h.x[o.rs1] : v.form == kVF ? h.f[o.rs1] : static_cast<uint64_t>(o.imm);
  c.mask = nullptr;
  c.begin = h.vstart;
  c.n = h.vl;
  c.vlmax = v.vlmax;
  c.hart = &h;
  c.op = &o;
  return c;
}

/// Eight bits as eight bytes of 0 or 1.
PRESIL_DSP_INLINE uint64_t spread(uint8_t bits) {
  // Byte k keeps bit k; what is added carries it to the byte's top.
  const uint64_t picked = bits * 0x0101010101010101u & 0x8040201008040201u;
  return (picked + 0x00406070787c7e7fu) >> 7 & 0x0101010101010101u;
}
/// Eight bytes of 0 or 1 as eight bits.
PRESIL_DSP_INLINE uint8_t gather_bits(uint64_t bytes) {
  return static_cast<uint8_t>(bytes * 0x0102040810204080u >> 56);
}

/// v0 as a byte per element, up to vl.
PRESIL_DSP_INLINE const uint8_t* active_elements(Hart& h) {
  for (size_t i = 0; i < h.vl; i += 8) {
    const uint64_t eight = spread(h.v[i / 8]);
    std::memcpy(&h.active[i], &eight, 8);
  }
  return h.active.data();
}

/// Bytes of 0 or 1 to the bits begin .. n - 1 of a mask register, those that are active.
PRESIL_DSP_INLINE void set_bits(uint8_t* vd, const uint8_t* from, const uint8_t* active,
                                size_t begin, size_t n) {
  for (size_t i = begin & ~size_t{7}; i < n; i += 8) {
    uint64_t value, mask = ~uint64_t{0};
    std::memcpy(&value, from + i, 8);
    if (active != nullptr) std::memcpy(&mask, active + i, 8);
    uint8_t keep = active == nullptr ? 0 : static_cast<uint8_t>(~gather_bits(mask));
    if (i < begin) keep |= static_cast<uint8_t>((1u << (begin - i)) - 1);
    if (n - i < 8) keep |= static_cast<uint8_t>(0xffu << (n - i));
    // A place that is kept may hold any byte: only its own bit could change.
    uint8_t bits = 0;
    if (keep == 0) {
      bits = gather_bits(value);
    } else {
      for (unsigned k = 0; k < 8; ++k) bits |= static_cast<uint8_t>((from[i + k] & 1) << k);
    }
    vd[i / 8] = static_cast<uint8_t>((vd[i / 8] & keep) | (bits & ~keep));
  }
}

}  // namespace presil::dsp
