// The parts around a body: reset of registers and memory before it, dump after it.
#include "tests/cpu/cpu_program.h"

#include <cstdio>
#include <cstring>

#include "tests/cpu/cpu_random.h"

namespace presil::cpu {
namespace {

constexpr uint32_t kPadding = 4096;  // what loads relative to pc may read
constexpr uint32_t kStateBytes = 128 + 8 + 56;

void append(std::vector<uint8_t>& bytes, uint32_t word) {
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(word >> 8 * i));
}
void append(std::vector<uint8_t>& bytes, const Unit& unit) {
  for (const uint16_t half : unit) {
    bytes.push_back(static_cast<uint8_t>(half));
    bytes.push_back(static_cast<uint8_t>(half >> 8));
  }
}

std::vector<uint8_t> state_of(const Program& program) {
  Random random(program.seed);
  std::vector<uint8_t> bytes;
  for (unsigned i = 0; i < 32; ++i)
    append(bytes, program.edges ? edge_float(random) : random_float(random));
  // half of the programs round to nearest without other modes; at edges no flag but inexact is set,
  // so that the others are seen
  const auto bits = static_cast<uint32_t>(random());
  const uint32_t flags = program.edges ? 0x10 : 0x9f;
  append(bytes, (bits & 1) != 0 ? bits & (0x07c00000 | flags) : bits & flags);
  append(bytes, static_cast<uint32_t>(random()) & 0xf80f0000);
  for (unsigned i = 0; i < 14; ++i) append(bytes, random_integer(random));
  return bytes;
}

// mla r1, r1, r2, r3; str r1, [r0], #4; cmp r0, r4; bne: a generator of the memory's words
void reset(std::vector<uint8_t>& code, uint64_t seed, uint32_t state) {
  Unit u;
  set_register(u, 0, Linked::kData);
  set_register(u, 1, static_cast<uint32_t>(seed) | 1);
  set_register(u, 2, 1664525);
  set_register(u, 3, 1013904223);
  set_register(u, 4, Linked::kData + Linked::kDataBytes);
  for (const uint16_t half : {0xfb01, 0x3102, 0xf840, 0x1b04, 0x42a0, 0xd1f9})
    u.push_back(static_cast<uint16_t>(half));
  set_register(u, 0, Linked::kStack);
  u.push_back(0x4685);  // mov sp, r0
  set_register(u, 9, state);
  append32(u, 0xecb90a20);  // vldmia r9!, {s0-s31}
  append32(u, 0xe8b90003);  // ldm r9!, {r0, r1}
  append32(u, 0xeee10a10);  // vmsr fpscr, r0
  append32(u, 0xf3818c00);  // msr apsr_nzcvqg, r1
  append32(u, 0xf8d9e034);  // ldr lr, [r9, #52]
  append32(u, 0xe8991fff);  // ldm r9, {r0-r12}
  append(code, u);
}

void dump(std::vector<uint8_t>& code) {
  Unit u;
  append32(u, 0xe92d5fff);                                      // push {r0-r12, lr}
  append32(u, 0xf3ef8000);                                      // mrs r0, apsr
  append32(u, 0xeef11a10);                                      // vmrs r1, fpscr
  u.push_back(0xb403);                                          // push {r0, r1}
  append32(u, 0xed2d0a20);                                      // vpush {s0-s31}
  u.push_back(0x4669);                                          // mov r1, sp
  for (const uint16_t half : {0x22c0, 0x2001, 0x2704, 0xdf00})  // write(1, sp, 192)
    u.push_back(static_cast<uint16_t>(half));
  set_register(u, 1, Linked::kData);
  set_register(u, 2, Dump::kMemory);
  for (const uint16_t half : {0x2001, 0xdf00}) u.push_back(static_cast<uint16_t>(half));
  append(code, u);
}

}  // namespace

std::string to_text(const Program& program) {
  std::string text = "seed " + std::to_string(program.seed) + "\n";
  for (const Unit& unit : program.body) {
    for (const uint16_t half : unit) {
      char four[8];
      std::snprintf(four, sizeof four, "%04x ", half);
      text += four;
    }
    text += "\n";
  }
  return text;
}

std::string Dump::name_of(unsigned offset) {
  if (offset < kApsr) return "s" + std::to_string(offset / 4);
  if (offset < kFpscr) return "apsr";
  if (offset < kR) return "fpscr";
  if (offset >= kRegisters) return "memory byte " + std::to_string(offset - kRegisters);
  const unsigned n = (offset - kR) / 4;
  return n == 13 ? "lr" : "r" + std::to_string(n);
}

Linked link(const std::vector<Program>& programs) {
  Linked linked;
  linked.code.assign(kPadding, 0);
  linked.data.assign(Linked::kDataBytes, 0);
  linked.entry = (Linked::kCode + kPadding) | 1;
  uint32_t state = Linked::kStates;
  for (const Program& program : programs) {
    const std::vector<uint8_t> bytes = state_of(program);
    linked.states.insert(linked.states.end(), bytes.begin(), bytes.end());
    reset(linked.code, program.seed, state);
    for (const Unit& unit : program.body) append(linked.code, unit);
    dump(linked.code);
    state += kStateBytes;
  }
  append(linked.code, {0x2000, 0x2701, 0xdf00});  // exit(0)
  linked.code.insert(linked.code.end(), kPadding, 0);
  return linked;
}

}  // namespace presil::cpu
