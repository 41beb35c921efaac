// The shapes of scalar instructions: each is instantiated over a meaning.
#pragma once

#include <cstring>

#include "models/dsp/dsp_hart.h"

namespace presil::dsp {

/// A meaning: what a result is of two operands.
#define PRESIL_DSP_MEANING(Name, expression)                                      \
  struct Name {                                                                   \
    static uint64_t f([[maybe_unused]] uint64_t a, [[maybe_unused]] uint64_t b) { \
      return static_cast<uint64_t>(expression);                                   \
    }                                                                             \
  };

inline int64_t s64(uint64_t a) {
  return static_cast<int64_t>(a);
}
inline int32_t s32(uint64_t a) {
  return static_cast<int32_t>(a);
}
inline uint32_t u32(uint64_t a) {
  return static_cast<uint32_t>(a);
}
/// A 32-bit result as a register holds it.
inline int64_t sext(uint32_t a) {
  return static_cast<int32_t>(a);
}

template <class F>
Decoded* reg_reg(Hart& h, Decoded* o) {
  h.x[o->rd] = F::f(h.x[o->rs1], h.x[o->rs2]);
  PRESIL_DSP_NEXT(h, o + 1);
}

template <class F>
Decoded* reg_imm(Hart& h, Decoded* o) {
  h.x[o->rd] = F::f(h.x[o->rs1], static_cast<uint64_t>(o->imm));
  PRESIL_DSP_NEXT(h, o + 1);
}

/// Leaves a block in line (0) or by the way taken (1).
inline Decoded* leave(Hart& h, Decoded* o, unsigned way, uint64_t pc, unsigned cycles) {
  Exit& exit = o->exit[way];
  h.cycle += cycles;
  ++exit.count;
  if (__builtin_expect(exit.next == nullptr || h.cycle >= h.limit, 0)) return enter(h, o, exit, pc);
  PRESIL_DSP_NEXT(h, exit.next);
}

template <class F>
Decoded* branch(Hart& h, Decoded* o) {
  if (F::f(h.x[o->rs1], h.x[o->rs2]) != 0)
    return leave(h, o, 1, o->pc + static_cast<uint64_t>(o->imm), o->at);
  return leave(h, o, 0, o->pc + o->length, o->after);
}

/// Accesses that the quick way does not serve: first touch, devices, refusals.
Decoded* load_slowly(Hart& h, Decoded* o, uint64_t address, unsigned bytes, uint64_t& value);
Decoded* store_slowly(Hart& h, Decoded* o, uint64_t address, unsigned bytes, uint64_t value);
/// A load from SRAM or DRAM: what it adds to the cycles that the block's schedule has for it.
void wait_for_far_load(Hart& h, Decoded* o, Space space, unsigned bytes);
/// A store to SRAM or DRAM: nothing waits for the DSP's.
inline void count_far_store(Hart& h, const Decoded* o, Space space, unsigned bytes) {
  if (space == Space::kSram) h.sram_written += bytes;
  if (space == Space::kDram) charge(h, o->pc, Stall::kFar, h.config.scalar.dram_store);
}

template <class T>
Decoded* load(Hart& h, Decoded* o) {
  const uint64_t address = h.x[o->rs1] + static_cast<uint64_t>(o->imm);
  const Memory::Hit* hit = nullptr;
  const uint8_t* bytes = h.memory.quick<T, kRead>(address, hit);
  T value;
  if (__builtin_expect(bytes != nullptr, 1)) {
    std::memcpy(&value, bytes, sizeof(T));
    if (__builtin_expect(hit->space != Space::kTcm, 0))
      wait_for_far_load(h, o, hit->space, sizeof(T));
    h.x[o->rd] = static_cast<uint64_t>(static_cast<int64_t>(value));
    PRESIL_DSP_NEXT(h, o + 1);
  }
  uint64_t wide = 0;
  Decoded* next = load_slowly(h, o, address, sizeof(T), wide);
  if (next != nullptr)
    h.x[o->rd] = static_cast<uint64_t>(static_cast<int64_t>(static_cast<T>(wide)));
  return next;
}

template <class T>
Decoded* store(Hart& h, Decoded* o) {
  const uint64_t address = h.x[o->rs1] + static_cast<uint64_t>(o->imm);
  const Memory::Hit* hit = nullptr;
  uint8_t* bytes = h.memory.quick<T, kWrite>(address, hit);
  const auto value = static_cast<T>(h.x[o->rs2]);
  if (__builtin_expect(bytes != nullptr, 1)) {
    std::memcpy(bytes, &value, sizeof(T));
    if (__builtin_expect(hit->space != Space::kTcm, 0))
      count_far_store(h, o, hit->space, sizeof(T));
    PRESIL_DSP_NEXT(h, o + 1);
  }
  return store_slowly(h, o, address, sizeof(T), static_cast<uint64_t>(h.x[o->rs2]));
}

}  // namespace presil::dsp
