#include "models/cpu/cpu_core.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "models/base/refusal.h"
#include "models/cpu/cpu_semihosting.h"

namespace presil::cpu {
namespace {

const Config& checked(const Config& config) {
  auto refuse = [&](const char* field, unsigned value, const char* required) {
    throw Refusal("cpu", config.name + ": " + field + " is " + std::to_string(value) +
                             ", must be " + required + "; correct it in the core's file");
  };
  if (config.interrupts < 1 || config.interrupts > 480)
    refuse("interrupts", config.interrupts, "1 to 480");
  if (config.priority_bits < 3 || config.priority_bits > 8)
    refuse("priority_bits", config.priority_bits, "3 to 8");
  if (config.mpu_regions > 16) refuse("mpu_regions", config.mpu_regions, "at most 16");
  return config;
}

Hart hart_of(const Config& config, Blocks& blocks, System& system) {
  Hart hart;
  hart.config = checked(config);
  hart.blocks = &blocks;
  hart.system = &system;
  return hart;
}

}  // namespace

Core::Core(const Config& config) : m_hart(hart_of(config, m_blocks, m_system)), m_system(m_hart) {
  m_system.reset();
}

Core::~Core() = default;

void Core::forget_instructions() {
  m_blocks.drop();
}

void Core::reset(uint32_t vectors) {
  Hart& h = m_hart;
  h.r.fill(0);
  h.s.fill(0);
  h.set_nzcv(0);
  h.q = h.ge = h.fpscr = 0;
  h.cycle = h.retired = 0;
  h.exclusive_bytes = 0;
  h.stop = {};
  m_system.reset();
  m_system.store(0xe000ed08, 4, 0, vectors);
  uint32_t entry[2] = {};
  const uint8_t* host = h.memory.at(vectors, 8, kRead);
  char where[16];
  std::snprintf(where, sizeof where, "0x%08x", vectors);
  if (host == nullptr || (vectors & 127) != 0)
    throw Refusal("cpu", h.config.name + ": the vector table is at " + std::string(where) +
                             ", must be readable memory and a multiple of 128; load a program "
                             "there or give the address of its table");
  std::memcpy(entry, host, sizeof entry);
  if ((entry[1] & 1) == 0) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", entry[1]);
    throw Refusal("cpu", h.config.name + ": the reset vector at " + std::string(where) +
                             " + 4 is " + text +
                             ", must have bit 0 set (Thumb); is this a vector table of an "
                             "Armv7-M or Armv8-M program?");
  }
  h.r[13] = entry[0] & ~3u;
  h.r[14] = 0xffffffff;
  jump(entry[1] & ~1u);
  m_blocks.drop();
}

void Core::set_interrupt(unsigned line, bool level) {
  if (line >= m_hart.config.interrupts)
    throw Refusal("cpu", m_hart.config.name + ": interrupt line is " + std::to_string(line) +
                             ", must be below " + std::to_string(m_hart.config.interrupts) +
                             "; raise `interrupts` in the core's file or use another line");
  m_system.set_interrupt(line, level);
}

bool Core::take_event() {
  return std::exchange(m_hart.events_sent, false);
}

uint64_t Core::next_event() const {
  return m_system.sleeping() ? std::max(m_hart.cycle, m_system.next_event()) : m_hart.cycle;
}

bool Core::serve_semihosting() {
  constexpr uint32_t kRequest = 0xab;
  Hart& h = m_hart;
  if (h.stop.reason != Reason::kBreakpoint || h.stop.status != kRequest) return false;
  const Semihosting::Answer answer = Semihosting(h, m_console).serve(h.r[0], h.r[1]);
  if (answer.ends) {
    h.stop = {Reason::kExit, h.pc, answer.value, 0};
    return false;
  }
  h.r[0] = answer.value;
  h.pc += 2;
  h.it = next_it(h.it);
  ++h.cycle;
  ++h.retired;
  return true;
}

const Stop& Core::run(uint64_t end, bool asleep) {
  Hart& h = m_hart;
  if (m_system.locked_up()) return h.stop;
  for (;;) {
    m_system.advance(h.cycle);
    if (m_system.sleeping() && !m_system.wakes()) {
      if (!asleep) {
        h.stop = {Reason::kWait, h.pc, 0, 0};
        return h.stop;
      }
      const uint64_t next = m_system.next_event();
      if (next > end || next == System::kNever) {
        h.cycle = std::max(h.cycle, end == ~uint64_t{0} ? h.cycle : end);
        h.stop = {Reason::kWait, h.pc, 0, 0};
        return h.stop;
      }
      h.cycle = std::max(h.cycle, next);
      continue;
    }
    m_system.take_pending();
    if (m_system.locked_up()) return h.stop;
    if (h.cycle >= end) {
      h.stop = {Reason::kTime, h.pc, 0, 0};
      return h.stop;
    }
    if (h.synchronise) m_blocks.synchronise();
    h.synchronise = false;
    h.left_at_boundary = false;
    h.limit = std::min(end, m_system.next_event());
    for (Decoded* op = m_blocks.at(h, h.pc, h.it); op != nullptr;) op = op->run(h, op);
    if (h.left_at_boundary || serve_semihosting()) continue;
    return h.stop;
  }
}

}  // namespace presil::cpu
