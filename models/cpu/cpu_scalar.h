// What handlers of scalar instructions share: conditions, flags of sums, accesses.
#pragma once

#include "models/cpu/cpu_isa.h"

namespace presil::cpu {

template <unsigned condition>
bool holds(const Hart& h) {
  bool result = true;
  switch (condition >> 1) {
    case 0:
      result = h.zero();
      break;
    case 1:
      result = h.c != 0;
      break;
    case 2:
      result = h.negative();
      break;
    case 3:
      result = h.v >> 31 != 0;
      break;
    case 4:
      result = h.c != 0 && !h.zero();
      break;
    case 5:
      result = h.negative() == (h.v >> 31 != 0);
      break;
    case 6:
      result = !h.zero() && h.negative() == (h.v >> 31 != 0);
      break;
    default:
      return true;
  }
  return (condition & 1) != 0 ? !result : result;
}

template <bool sets_flags>
uint32_t sum(Hart& h, uint32_t a, uint32_t b, uint32_t carry) {
  const uint64_t wide = uint64_t{a} + b + carry;
  const auto r = static_cast<uint32_t>(wide);
  if (sets_flags) {
    h.set_nz(r);
    h.c = static_cast<uint32_t>(wide >> 32);
    h.v = (a ^ r) & (b ^ r);
  }
  return r;
}

inline int32_t s32(uint32_t a) {
  return static_cast<int32_t>(a);
}
inline int64_t s64(uint32_t a) {
  return static_cast<int32_t>(a);
}
inline uint32_t rotated(uint32_t a, unsigned by) {
  return by == 0 ? a : a >> by | a << (32 - by);
}

/// The next instruction after one that has called a device: an exception may be pending.
inline Decoded* after_device(Hart& h, Decoded* o) {
  if (__builtin_expect(h.limit != 0, 1)) return o + 1;
  settle(h, o[1]);
  return boundary(h, o[1].pc, o[1].it);
}

/// How an access that the quick way does not serve has ended.
struct Slow {
  bool done = false;
  Decoded* next = nullptr;  ///< where to go on when it is not done
};
/// @param must_align a word access of several, or one that is exclusive
Slow load_slowly(Hart& h, Decoded* o, uint32_t address, unsigned bytes, bool must_align,
                 uint32_t& value);
Slow store_slowly(Hart& h, Decoded* o, uint32_t address, unsigned bytes, bool must_align,
                  uint32_t value);

/// A load of one of several; adds wait states.
inline Slow load_word(Hart& h, Decoded* o, uint32_t address, uint32_t& value) {
  uint32_t wait = 0;
  const uint8_t* host = h.memory.quick<kRead>(address, wait);
  if (__builtin_expect(host == nullptr || (address & 3) != 0, 0))
    return load_slowly(h, o, address, 4, true, value);
  std::memcpy(&value, host, 4);
  h.cycle += wait;
  return {true, nullptr};
}
inline Slow store_word(Hart& h, Decoded* o, uint32_t address, uint32_t value) {
  uint32_t wait = 0;
  uint8_t* host = h.memory.quick<kWrite>(address, wait);
  if (__builtin_expect(host == nullptr || (address & 3) != 0, 0))
    return store_slowly(h, o, address, 4, true, value);
  std::memcpy(host, &value, 4);
  h.cycle += wait;
  return {true, nullptr};
}

template <Address mode>
uint32_t address_of(const Hart& h, const Decoded* o) {
  switch (mode) {
    case Address::kRegister:
      return h.r[o->rn] + (h.r[o->rm] << o->extra);
    case Address::kPost:
      return h.r[o->rn];
    case Address::kLiteral:
      return o->imm;
    default:
      return h.r[o->rn] + o->imm;
  }
}
template <Address mode>
void write_back(Hart& h, const Decoded* o) {
  if (mode == Address::kPre || mode == Address::kPost) h.r[o->rn] += o->imm;
}

/// Rd 13: bits 1:0 are not kept, and the stack limit is checked.
Decoded* check_stack(Hart& h, Decoded* o);

}  // namespace presil::cpu
