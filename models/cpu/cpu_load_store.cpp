// Loads and stores of one register, of two, of lists; exclusive and ordered ones.
#include <type_traits>

#include "models/cpu/cpu_families.h"
#include "models/cpu/cpu_scalar.h"
#include "models/cpu/cpu_system.h"

namespace presil::cpu {
namespace {

template <class T>
uint32_t extended(uint32_t value) {
  if (std::is_signed<T>::value)
    return static_cast<uint32_t>(static_cast<int32_t>(static_cast<T>(value)));
  return static_cast<T>(value);
}

template <class T, Address mode>
Decoded* load(Hart& h, Decoded* o) {
  const uint32_t address = address_of<mode>(h, o);
  uint32_t wait = 0;
  const uint8_t* host = h.memory.quick<kRead>(address, wait);
  if (__builtin_expect(host != nullptr && (address & (sizeof(T) - 1)) == 0 && o->mode == 0, 1)) {
    T value;
    std::memcpy(&value, host, sizeof(T));
    h.cycle += wait;
    write_back<mode>(h, o);
    h.r[o->rd] = extended<T>(static_cast<uint32_t>(value));
    PRESIL_CPU_NEXT(h, o + 1);
  }
  uint32_t value = 0;
  const Slow slow = load_slowly(h, o, address, sizeof(T), false, value);
  if (!slow.done) return slow.next;
  write_back<mode>(h, o);
  h.r[o->rd] = extended<T>(value);
  return after_device(h, o);
}

template <class T, Address mode>
Decoded* store(Hart& h, Decoded* o) {
  const uint32_t address = address_of<mode>(h, o);
  uint32_t wait = 0;
  uint8_t* host = h.memory.quick<kWrite>(address, wait);
  const auto value = static_cast<T>(h.r[o->rd]);
  if (__builtin_expect(host != nullptr && (address & (sizeof(T) - 1)) == 0 && o->mode == 0, 1)) {
    std::memcpy(host, &value, sizeof(T));
    h.cycle += wait;
    write_back<mode>(h, o);
    PRESIL_CPU_NEXT(h, o + 1);
  }
  const Slow slow = store_slowly(h, o, address, sizeof(T), false, value);
  if (!slow.done) return slow.next;
  write_back<mode>(h, o);
  return after_device(h, o);
}

// A target from memory: bit 0 says that it is Thumb, or it ends an exception.
template <Address mode>
Decoded* load_to_pc(Hart& h, Decoded* o) {
  uint32_t value = 0;
  const Slow slow = load_word(h, o, address_of<mode>(h, o), value);
  if (!slow.done) return slow.next;
  write_back<mode>(h, o);
  return branch_to(h, o, value);
}

template <class T>
constexpr Accesses loads() {
  return {load<T, Address::kOffset>, load<T, Address::kPre>, load<T, Address::kPost>,
          load<T, Address::kRegister>, load<T, Address::kLiteral>};
}
template <class T>
constexpr Accesses stores() {
  return {store<T, Address::kOffset>, store<T, Address::kPre>, store<T, Address::kPost>,
          store<T, Address::kRegister>, nullptr};
}

template <Address mode>
Decoded* load_two(Hart& h, Decoded* o) {
  const uint32_t address = address_of<mode>(h, o);
  uint32_t first = 0, second = 0;
  Slow slow = load_word(h, o, address, first);
  if (slow.done) slow = load_word(h, o, address + 4, second);
  if (!slow.done) return slow.next;
  write_back<mode>(h, o);
  h.r[o->rd] = first;
  h.r[o->ra] = second;
  return after_device(h, o);
}
template <Address mode>
Decoded* store_two(Hart& h, Decoded* o) {
  const uint32_t address = address_of<mode>(h, o);
  Slow slow = store_word(h, o, address, h.r[o->rd]);
  if (slow.done) slow = store_word(h, o, address + 4, h.r[o->ra]);
  if (!slow.done) return slow.next;
  write_back<mode>(h, o);
  return after_device(h, o);
}
const Accesses kLoadTwo = {load_two<Address::kOffset>, load_two<Address::kPre>,
                           load_two<Address::kPost>, nullptr, load_two<Address::kLiteral>};
const Accesses kStoreTwo = {store_two<Address::kOffset>, store_two<Address::kPre>,
                            store_two<Address::kPost>, nullptr, nullptr};

Decoded* load_list(Hart& h, Decoded* o, uint32_t address, uint32_t base_after, bool write) {
  uint32_t values[16];
  for (unsigned n = 0; n < 16; ++n) {
    if ((o->imm >> n & 1) == 0) continue;
    const Slow slow = load_word(h, o, address, values[n]);
    if (!slow.done) return slow.next;
    address += 4;
  }
  if (write) h.r[o->rn] = base_after;
  for (unsigned n = 0; n < 15; ++n)
    if ((o->imm >> n & 1) != 0) h.r[n] = values[n];
  if ((o->imm >> 15 & 1) != 0) return branch_to(h, o, values[15]);
  return after_device(h, o);
}
Decoded* store_list(Hart& h, Decoded* o, uint32_t address, uint32_t base_after, bool write) {
  if (o->rn == 13 && write && base_after < h.stack_limit)
    return fault(h, *o, Fault::kStackOverflow);
  for (unsigned n = 0; n < 15; ++n) {
    if ((o->imm >> n & 1) == 0) continue;
    const Slow slow = store_word(h, o, address, h.r[n]);
    if (!slow.done) return slow.next;
    address += 4;
  }
  if (write) h.r[o->rn] = base_after;
  return after_device(h, o);
}
uint32_t list_bytes(const Decoded* o) {
  return static_cast<uint32_t>(__builtin_popcount(o->imm)) * 4;
}
Decoded* load_multiple_before(Hart& h, Decoded* o) {
  const uint32_t address = h.r[o->rn] - list_bytes(o);
  return load_list(h, o, address, address, o->mode != 0);
}
Decoded* store_multiple_before(Hart& h, Decoded* o) {
  const uint32_t address = h.r[o->rn] - list_bytes(o);
  return store_list(h, o, address, address, o->mode != 0);
}

template <class T>
bool load_aligned(Hart& h, Decoded* o, uint32_t address, uint32_t& value, Decoded*& next) {
  const Slow slow = load_slowly(h, o, address, sizeof(T), true, value);
  next = slow.next;
  return slow.done;
}

// The monitor holds address and value: a store by another core, or an own one that changes the
// value, makes the store exclusive fail.
template <class T>
Decoded* load_exclusive(Hart& h, Decoded* o) {
  const uint32_t address = h.r[o->rn] + o->imm;
  uint32_t value = 0;
  Decoded* next = nullptr;
  if (!load_aligned<T>(h, o, address, value, next)) return next;
  h.exclusive_address = address;
  h.exclusive_value = value;
  h.exclusive_bytes = sizeof(T);
  h.r[o->rd] = value;
  return after_device(h, o);
}
template <class T>
Decoded* store_exclusive(Hart& h, Decoded* o) {
  const uint32_t address = h.r[o->rn] + o->imm;
  uint32_t now = 0;
  bool open = h.exclusive_bytes == sizeof(T) && h.exclusive_address == address;
  if ((address & (sizeof(T) - 1)) != 0) return fault(h, *o, Fault::kUnaligned, address);
  if (open) {
    Decoded* next = nullptr;
    if (!load_aligned<T>(h, o, address, now, next)) return next;
    open = now == h.exclusive_value;
  }
  if (open) {
    const Slow slow = store_slowly(h, o, address, sizeof(T), true, static_cast<T>(h.r[o->rd]));
    if (!slow.done) return slow.next;
  }
  h.exclusive_bytes = 0;
  h.r[o->ra] = open ? 0 : 1;
  return after_device(h, o);
}
Decoded* clear_exclusive(Hart& h, Decoded* o) {
  h.exclusive_bytes = 0;
  PRESIL_CPU_NEXT(h, o + 1);
}

// Load-acquire, store-release: one core's accesses are in order, so these only must be aligned.
template <class T>
Decoded* load_acquire(Hart& h, Decoded* o) {
  uint32_t value = 0;
  Decoded* next = nullptr;
  if (!load_aligned<T>(h, o, h.r[o->rn], value, next)) return next;
  h.r[o->rd] = value;
  return after_device(h, o);
}
template <class T>
Decoded* store_release(Hart& h, Decoded* o) {
  const Slow slow = store_slowly(h, o, h.r[o->rn], sizeof(T), true, static_cast<T>(h.r[o->rd]));
  return slow.done ? after_device(h, o) : slow.next;
}

}  // namespace

const Accesses load_u32 = loads<uint32_t>(), load_u16 = loads<uint16_t>(),
               load_s16 = loads<int16_t>(), load_u8 = loads<uint8_t>(), load_s8 = loads<int8_t>();
const Accesses store_u32 = stores<uint32_t>(), store_u16 = stores<uint16_t>(),
               store_u8 = stores<uint8_t>();
const Accesses load_pc = {load_to_pc<Address::kOffset>, load_to_pc<Address::kPre>,
                          load_to_pc<Address::kPost>, load_to_pc<Address::kRegister>,
                          load_to_pc<Address::kLiteral>};

Decoded* load_multiple(Hart& h, Decoded* o) {
  const uint32_t address = h.r[o->rn];
  return load_list(h, o, address, address + list_bytes(o), o->mode != 0);
}
Decoded* store_multiple(Hart& h, Decoded* o) {
  const uint32_t address = h.r[o->rn];
  return store_list(h, o, address, address + list_bytes(o), o->mode != 0);
}
Decoded* push(Hart& h, Decoded* o) {
  const uint32_t address = h.r[13] - list_bytes(o);
  return store_list(h, o, address, address, true);
}
Decoded* pop(Hart& h, Decoded* o) {
  return load_list(h, o, h.r[13], h.r[13] + list_bytes(o), true);
}

const std::vector<Row>& memory_rows() {
  constexpr Form k12 = Form::kLoadImm12, k8 = Form::kLoadImm8, kReg = Form::kLoadReg32,
                 kLit = Form::kLiteral32, kOrd = Form::kOrdered;
  constexpr Class kLd = Class::kLoad, kSt = Class::kStore;
  constexpr uint32_t kMask12 = 0xfff00000, kMask8 = 0xfff00800, kMaskReg = 0xfff00fc0;
  static const std::vector<Row> rows = [&] {
    std::vector<Row> all;
    // hints of a load to register 15 that is no word: PLD, PLI, and reserved ones
    for (const uint32_t load : {0xf8100000u, 0xf8300000u, 0xf9100000u, 0xf9300000u}) {
      all.push_back(
          {"pld", load | 0xf000, 0xff70f000, Form::kNone, Class::kAlu, no_operation, kPrivate});
    }
    struct Size {
      const char* name;
      uint32_t match;
      Class cls;
      const Accesses* accesses;
      uint8_t size;
    };
    const Size sizes[] = {
        {"ldr", 0xf8500000, kLd, &load_u32, 4},   {"ldrh", 0xf8300000, kLd, &load_u16, 2},
        {"ldrb", 0xf8100000, kLd, &load_u8, 1},   {"ldrsh", 0xf9300000, kLd, &load_s16, 2},
        {"ldrsb", 0xf9100000, kLd, &load_s8, 1},  {"str", 0xf8400000, kSt, &store_u32, 4},
        {"strh", 0xf8200000, kSt, &store_u16, 2}, {"strb", 0xf8000000, kSt, &store_u8, 1}};
    auto add = [&](const Size& s, Class cls, const Accesses* accesses, uint32_t rt,
                   uint16_t flags) {
      const uint32_t m = s.match | rt, extra = rt;
      if (cls != kSt)
        all.push_back({s.name, m | 0xf0000, 0xff7f0000 | extra, kLit, cls, nullptr, flags,
                       Op::kNone, accesses, s.size});
      all.push_back({s.name, m | 0x800000, kMask12 | extra, k12, cls, nullptr, flags, Op::kNone,
                     accesses, s.size});
      all.push_back({s.name, m | 0x800, kMask8 | extra, k8, cls, nullptr, flags, Op::kNone,
                     accesses, s.size});
      all.push_back(
          {s.name, m, kMaskReg | extra, kReg, cls, nullptr, flags, Op::kNone, accesses, s.size});
    };
    add(sizes[0], Class::kLoadPc, &load_pc, 0xf000, kEnds | kPrivate | kLastInIt);
    for (const Size& s : sizes) add(s, s.cls, s.accesses, 0, 0);
    return all;
  }();
  static const std::vector<Row> others = {
      {"ldrex", 0xe8500f00, 0xfff00f00, Form::kExclusiveLoad, kLd, load_exclusive<uint32_t>},
      {"strex", 0xe8400000, 0xfff00000, Form::kExclusiveStore, kSt, store_exclusive<uint32_t>},
      {"ldrexb", 0xe8d00f4f, 0xfff00fff, kOrd, kLd, load_exclusive<uint8_t>},
      {"ldrexh", 0xe8d00f5f, 0xfff00fff, kOrd, kLd, load_exclusive<uint16_t>},
      {"strexb", 0xe8c00f40, 0xfff00ff0, kOrd, kSt, store_exclusive<uint8_t>, 0, Op::kTst},
      {"strexh", 0xe8c00f50, 0xfff00ff0, kOrd, kSt, store_exclusive<uint16_t>, 0, Op::kTst},
      {"ldab", 0xe8d00f8f, 0xfff00fff, kOrd, kLd, load_acquire<uint8_t>, kNeedsV8},
      {"ldah", 0xe8d00f9f, 0xfff00fff, kOrd, kLd, load_acquire<uint16_t>, kNeedsV8},
      {"lda", 0xe8d00faf, 0xfff00fff, kOrd, kLd, load_acquire<uint32_t>, kNeedsV8},
      {"stlb", 0xe8c00f8f, 0xfff00fff, kOrd, kSt, store_release<uint8_t>, kNeedsV8},
      {"stlh", 0xe8c00f9f, 0xfff00fff, kOrd, kSt, store_release<uint16_t>, kNeedsV8},
      {"stl", 0xe8c00faf, 0xfff00fff, kOrd, kSt, store_release<uint32_t>, kNeedsV8},
      {"ldaexb", 0xe8d00fcf, 0xfff00fff, kOrd, kLd, load_exclusive<uint8_t>, kNeedsV8},
      {"ldaexh", 0xe8d00fdf, 0xfff00fff, kOrd, kLd, load_exclusive<uint16_t>, kNeedsV8},
      {"ldaex", 0xe8d00fef, 0xfff00fff, kOrd, kLd, load_exclusive<uint32_t>, kNeedsV8},
      {"stlexb", 0xe8c00fc0, 0xfff00ff0, kOrd, kSt, store_exclusive<uint8_t>, kNeedsV8, Op::kTst},
      {"stlexh", 0xe8c00fd0, 0xfff00ff0, kOrd, kSt, store_exclusive<uint16_t>, kNeedsV8, Op::kTst},
      {"stlex", 0xe8c00fe0, 0xfff00ff0, kOrd, kSt, store_exclusive<uint32_t>, kNeedsV8, Op::kTst},
      {"clrex", 0xf3bf8f2f, 0xffffffff, Form::kNone, Class::kAlu, clear_exclusive},
      {"ldrd", 0xe8500000, 0xfe500000, Form::kDual, Class::kLoadMultiple, nullptr, 0, Op::kNone,
       &kLoadTwo},
      {"strd", 0xe8400000, 0xfe500000, Form::kDual, Class::kStoreMultiple, nullptr, 0, Op::kNone,
       &kStoreTwo},
      {"ldm", 0xe8900000, 0xffd00000, Form::kMultiple32, Class::kLoadMultiple, load_multiple,
       kLastInIt},
      {"stm", 0xe8800000, 0xffd00000, Form::kMultiple32, Class::kStoreMultiple, store_multiple},
      {"ldmdb", 0xe9100000, 0xffd00000, Form::kMultiple32, Class::kLoadMultiple,
       load_multiple_before, kLastInIt},
      {"stmdb", 0xe9000000, 0xffd00000, Form::kMultiple32, Class::kStoreMultiple,
       store_multiple_before},
  };
  static const std::vector<Row> joined = [&] {
    std::vector<Row> all = rows;
    all.insert(all.end(), others.begin(), others.end());
    return all;
  }();
  return joined;
}

}  // namespace presil::cpu
