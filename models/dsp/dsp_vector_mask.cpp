// Instructions on masks: logic, counting, what lies before the first, positions.
#include "models/dsp/dsp_families.h"

namespace presil::dsp::PRESIL_DSP_LANES {
namespace {

#define MEANING(Name, expression)                                    \
  struct Name {                                                      \
    static unsigned f(unsigned a, unsigned b) { return expression; } \
  };
MEANING(Andn, a & ~b)
MEANING(And, a& b)
MEANING(Or, a | b)
MEANING(Xor, a ^ b)
MEANING(Orn, a | ~b)
MEANING(Nand, ~(a& b))
MEANING(Nor, ~(a | b))
MEANING(Xnor, ~(a ^ b))
#undef MEANING

bool bit(const uint8_t* mask, size_t i) {
  return (mask[i / 8] >> (i % 8) & 1) != 0;
}
bool active(const Call& c, size_t i) {
  return c.mask == nullptr || c.mask[i] != 0;
}

template <class F>
void logic_loop(const Call& c) {
  for (size_t i = c.begin & ~size_t{7}; i < c.n; i += 8) {
    unsigned keep = 0;
    if (i < c.begin) keep |= (1u << (c.begin - i)) - 1;
    if (c.n - i < 8) keep |= 0xffu << (c.n - i);
    const unsigned r = F::f(c.s2[i / 8], c.s1[i / 8]);
    c.d[i / 8] = static_cast<uint8_t>((c.d[i / 8] & keep) | (r & ~keep));
  }
}

void count(const Call& c) {
  uint64_t total = 0;
  for (size_t i = 0, n = c.n; i < n; ++i)
    total += static_cast<uint64_t>(bit(c.s2, i) && active(c, i));
  c.hart->x[c.op->rd] = total;
}

void first(const Call& c) {
  uint64_t at = ~uint64_t{0};
  for (size_t i = 0; i < c.n && at == ~uint64_t{0}; ++i)
    if (bit(c.s2, i) && active(c, i)) at = i;
  c.hart->x[c.op->rd] = at;
}

enum class Set { kBefore, kOnly, kIncluding };
template <Set set>
void around_first(const Call& c) {
  bool seen = false;
  for (size_t i = 0, n = c.n; i < n; ++i) {
    const bool here = !seen && bit(c.s2, i) && active(c, i);
    c.d[i] = static_cast<uint8_t>(set == Set::kOnly     ? here
                                  : set == Set::kBefore ? !seen && !here
                                                        : !seen);
    seen = seen || here;
  }
}

template <class T>
void iota(const Call& c) {
  T* d = lanes<T>(c.d);
  T sum = 0;
  for (size_t i = 0, n = c.n; i < n; ++i) {
    const bool one = bit(c.s2, i) && active(c, i);
    d[i] = sum;
    sum = static_cast<T>(sum + one);
  }
}

template <class T>
void index(const Call& c) {
  T* d = lanes<T>(c.d);
  for (size_t i = c.begin, n = c.n; i < n; ++i) d[i] = static_cast<T>(i);
}

constexpr Shape kLogic{Width::kMask, Width::kMask, Width::kMask, kNoMask, Commit::kItself, 'q'};
constexpr Shape kToScalar{Width::kNone, Width::kMask, Width::kNone, kFromStart, Commit::kItself, 0};
constexpr Shape kAroundFirst{
    Width::kMask, Width::kMask, Width::kNone, kFromStart | kNoOverlap, Commit::kBits, 0};
constexpr Shape kIota{
    Width::kSew, Width::kMask, Width::kNone, kFromStart | kNoOverlap, Commit::kElements, 0};
constexpr Shape kIndex{Width::kSew, Width::kNone, Width::kNone, 0, Commit::kElements, 0};

}  // namespace

Rows vector_mask_rows() {
  constexpr Group kM = Group::kOpm;
  constexpr Class kMask = Class::kVectorMask, kCount = Class::kVectorCount;
  static const VectorRow rows[] = {
      {0b011000, kM, "vmandn", kVV, kLogic, kMask, always(logic_loop<Andn>)},
      {0b011001, kM, "vmand", kVV, kLogic, kMask, always(logic_loop<And>)},
      {0b011010, kM, "vmor", kVV, kLogic, kMask, always(logic_loop<Or>)},
      {0b011011, kM, "vmxor", kVV, kLogic, kMask, always(logic_loop<Xor>)},
      {0b011100, kM, "vmorn", kVV, kLogic, kMask, always(logic_loop<Orn>)},
      {0b011101, kM, "vmnand", kVV, kLogic, kMask, always(logic_loop<Nand>)},
      {0b011110, kM, "vmnor", kVV, kLogic, kMask, always(logic_loop<Nor>)},
      {0b011111, kM, "vmxnor", kVV, kLogic, kMask, always(logic_loop<Xnor>)},
      {0b010000, kM, "vcpop.m", kUnary, kToScalar, kCount, always(count), 16},
      {0b010000, kM, "vfirst.m", kUnary, kToScalar, kCount, always(first), 17},
      {0b010100, kM, "vmsbf.m", kUnary, kAroundFirst, kMask, always(around_first<Set::kBefore>), 1},
      {0b010100, kM, "vmsof.m", kUnary, kAroundFirst, kMask, always(around_first<Set::kOnly>), 2},
      {0b010100, kM, "vmsif.m", kUnary, kAroundFirst, kMask, always(around_first<Set::kIncluding>),
       3},
      {0b010100,
       kM,
       "viota.m",
       kUnary,
       kIota,
       Class::kVectorIota,
       {{{iota<uint8_t>, iota<uint16_t>, iota<uint32_t>, iota<uint64_t>}, {}}},
       16},
      {0b010100,
       kM,
       "vid.v",
       kUnary,
       kIndex,
       Class::kVectorIota,
       {{{index<uint8_t>, index<uint16_t>, index<uint32_t>, index<uint64_t>}, {}}},
       17,
       0},
  };
  return rows;
}

}  // namespace presil::dsp::PRESIL_DSP_LANES
