// Units of several instructions: flow, stack, exclusive accesses. Flow skips or repeats sums of low
// registers, so that a wrong way is seen.
#include "tests/cpu/cpu_random.h"

namespace presil::cpu {
namespace {

uint16_t half(uint32_t bits) {
  return static_cast<uint16_t>(bits);
}

// adds rd, rn, rm of registers 0..3
uint16_t some_sum(Random& random) {
  return half(0x1800 | pick(random, 4) << 6 | pick(random, 4) << 3 | pick(random, 4));
}

void sums(Unit& u, Random& random, unsigned count) {
  for (unsigned i = 0; i < count; ++i) u.push_back(some_sum(random));
}

// rX = address of the halfword `skip` halves after the branch that follows, with bit 0
void target(Unit& u, unsigned x, unsigned halves_from_mov_pc) {
  u.push_back(half(0x4678 | x));                                      // mov rX, pc
  u.push_back(half(0x3000 | x << 8 | (2 * halves_from_mov_pc - 3)));  // adds rX, #
}

Unit conditional(Random& random) {
  Unit u;
  const unsigned skipped = 1 + pick(random, 4), condition = pick(random, 14);
  if (pick(random, 2) == 0) {
    u.push_back(half(0xd000 | condition << 8 | ((skipped - 1) & 255)));
  } else {  // T3: the target is 2 * imm from 4 after
    append32(u, 0xf0008000 | condition << 22 | skipped);
  }
  sums(u, random, skipped);
  return u;
}

Unit compare_branch(Random& random) {
  Unit u;
  const unsigned skipped = 1 + pick(random, 4);
  u.push_back(half(0xb100 | pick(random, 2) << 11 | (skipped - 1) << 3 | pick(random, 8)));
  sums(u, random, skipped);
  return u;
}

Unit always(Random& random) {
  Unit u;
  const unsigned skipped = 1 + pick(random, 4);
  if (pick(random, 2) == 0)
    u.push_back(half(0xe000 | (skipped - 1)));
  else
    append32(u, 0xf000b800 | skipped);
  sums(u, random, skipped);
  return u;
}

// bl over a branch to a function of sums that returns
Unit call(Random& random) {
  Unit u;
  append32(u, 0xf000f801);  // bl: to 2 halves after
  const unsigned length = 1 + pick(random, 3);
  u.push_back(half(0xe000 | length));  // b: over sums and bx
  sums(u, random, length);
  u.push_back(0x4770);  // bx lr
  return u;
}

// bx, blx, mov pc, add pc, pop {pc}, ldr pc, ldm {pc}
Unit indirect(Random& random) {
  Unit u;
  const unsigned x = 4 + pick(random, 4), skipped = 1 + pick(random, 4);
  switch (pick(random, 6)) {
    case 0:  // mov at 0, adds 1, bx 2, target 3 + skipped
    case 1:
      target(u, x, 3 + skipped);
      u.push_back(half((pick(random, 2) == 0 ? 0x4700 : 0x4780) | x << 3));
      break;
    case 2:
      target(u, x, 3 + skipped);
      u.push_back(half(0x4687 | x << 3));  // mov pc, rX
      break;
    case 3:  // add pc, rX: 4 after it, and rX
      u.push_back(half(0x2000 | x << 8 | 2 * (skipped - 1)));
      u.push_back(half(0x4487 | x << 3));
      break;
    case 4:
      target(u, x, 4 + skipped);
      u.push_back(half(0xb400 | 1u << x));  // push {rX}
      u.push_back(0xbd00);                  // pop {pc}
      break;
    default:
      target(u, x, 5 + skipped);
      u.push_back(half(0xb400 | 1u << x));
      append32(u, 0xf85dfb04);  // ldr pc, [sp], #4
  }
  sums(u, random, skipped);
  return u;
}

// movs rX; then a table of two bytes or halves, and two ways
Unit table(Random& random) {
  Unit u;
  const unsigned x = 4 + pick(random, 4);
  const bool halves = pick(random, 2) != 0;
  u.push_back(half(0x2000 | x << 8 | pick(random, 2)));
  append32(u, 0xe8dff000 | (halves ? 16 : 0) | x);
  // offsets in halves from the table's start
  const unsigned words = halves ? 2 : 1;
  if (halves) {
    u.push_back(half(words));
    u.push_back(half(words + 2));
  } else {
    u.push_back(half(words | (words + 2) << 8));
  }
  sums(u, random, 3);
  return u;
}

Unit loop(Random& random) {
  Unit u;
  const unsigned x = 4 + pick(random, 4), length = 1 + pick(random, 3);
  u.push_back(half(0x2000 | x << 8 | (1 + pick(random, 6))));
  sums(u, random, length);
  u.push_back(half(0x3801 | x << 8));  // subs rX, #1
  u.push_back(half(0xd100 | (0xffu & static_cast<unsigned>(-3 - static_cast<int>(length)))));
  return u;
}

// push of low registers and lr, pop of as many low ones; sub and add of sp around a store
Unit stack(Random& random) {
  Unit u;
  if (pick(random, 2) == 0) {
    const unsigned bytes = 4 * (1 + pick(random, 32));
    u.push_back(half(0xb080 | bytes / 4));
    u.push_back(half(0x9000 | pick(random, 8) << 8 | pick(random, bytes / 4)));  // str rt, [sp, #]
    if (pick(random, 2) == 0)
      u.push_back(half(0xb000 | bytes / 4));
    else
      append32(u, 0xf10d0d00 | bytes);  // add.w sp, sp, #
    return u;
  }
  unsigned list = 0, back = 0;
  while (list == 0) list = pick(random, 512);
  const auto count = static_cast<unsigned>(__builtin_popcount(list));
  while (static_cast<unsigned>(__builtin_popcount(back)) != (count > 8 ? 8 : count))
    back = count >= 8 ? 255 : pick(random, 256);
  u.push_back(half(0xb400 | list));
  u.push_back(half(0xbc00 | back));
  if (count == 9) u.push_back(0xb001);
  return u;
}

// Load and store exclusive of one size: the same address, another one, after CLREX
Unit exclusive(Random& random, const Config& config) {
  Unit u;
  const unsigned base = 4, rt = pick(random, 4), rd = 8 + pick(random, 4), size = pick(random, 3);
  const bool ordered = config.v8() && pick(random, 2) != 0;
  const bool released = config.v8() && pick(random, 2) != 0;
  const uint32_t address = Linked::kBase + 4 * pick(random, 64);
  set_register(u, base, address);
  const uint32_t n = base << 16;
  constexpr uint32_t kLoads[3] = {0xe8d00f4f, 0xe8d00f5f, 0xe8500f00};
  constexpr uint32_t kStores[3] = {0xe8c00f40, 0xe8c00f50, 0xe8400000};
  append32(u, (ordered ? 0xe8d00fcf + 16 * size : kLoads[size]) | n | rt << 12);
  const unsigned how = pick(random, 4);
  if (how == 1) append32(u, 0xf3bf8f2f);
  if (how == 2) set_register(u, base, address + 4);
  const uint32_t value = pick(random, 4) << 12;
  if (released)
    append32(u, (0xe8c00fc0 + 16 * size) | n | value | rd);
  else
    append32(u, size == 2 ? kStores[2] | n | value | rd << 8 : kStores[size] | n | value | rd);
  append32(u, 0xf3bf8f2f);
  return u;
}

}  // namespace

Unit random_sequence(Random& random, const Config& config) {
  switch (pick(random, 9)) {
    case 0:
      return conditional(random);
    case 1:
      return compare_branch(random);
    case 2:
      return always(random);
    case 3:
      return call(random);
    case 4:
      return indirect(random);
    case 5:
      return table(random);
    case 6:
      return loop(random);
    case 7:
      return stack(random);
    default:
      return exclusive(random, config);
  }
}

}  // namespace presil::cpu
