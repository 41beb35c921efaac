#include "models/rv64/rv64_core.h"

#include <algorithm>
#include <cstring>

namespace presil::rv64 {
namespace {

using dsp::Cause;

// What the DSP's table lacks: there they are illegal instructions.
constexpr uint32_t kMret = 0x30200073, kWfi = 0x10500073;
// Around the ebreak of a request: slli x0, x0, 31 and srai x0, x0, 7.
constexpr uint32_t kBeforeRequest = 0x01f01013, kEbreak = 0x00100073, kAfterRequest = 0x40705013;

dsp::Config processor(const Config& config) {
  dsp::Config processor;
  processor.vector = false;
  processor.scalar = config.scalar;
  return processor;
}

}  // namespace

Core::Core(const Config& config)
    : m_config(config), m_core(processor(config)), m_clint(m_core.hart()), m_machine(m_clint) {
  dsp::Region clint;
  clint.base = Clint::kBase;
  clint.bytes = Clint::kBytes;
  clint.rights = dsp::kRead | dsp::kWrite;
  clint.space = dsp::Space::kDevice;
  clint.device = &m_clint;
  m_core.memory().add(clint);
  m_core.hart().own = &m_machine;
}

void Core::set_far(unsigned cycles) {
  dsp::ScalarTiming& scalar = m_core.hart().config.scalar;
  scalar.dram_load_to_use = scalar.load_to_use + cycles;
  scalar.dram_store = cycles;
}

void Core::reset(uint64_t pc) {
  m_core.forget_instructions();
  m_core.reset();
  m_clint.reset();
  m_machine.reset();
  m_pc = pc;
  m_served = 0;
  m_sleeping = m_handles = false;
  m_trap = {};
  m_stop = {};
}

void Core::set_interrupt(bool level) {
  m_machine.set_external(level);
  m_core.hart().limit = 0;  // a running block is the last one before it looks
}

uint64_t Core::next_event() const {
  return m_sleeping ? std::max(cycle(), m_machine.timer_cycle(cycle())) : cycle();
}

bool Core::ends(Reason reason, uint32_t status) {
  m_stop = {reason, m_pc, status};
  return true;
}

// Time passes for a sleeping core up to the timer or to `end`. True: it stops.
bool Core::sleep_ends(uint64_t end, bool asleep) {
  dsp::Hart& h = m_core.hart();
  while (m_sleeping && !m_machine.wakes(h.cycle)) {
    const uint64_t next = m_machine.timer_cycle(h.cycle);
    if (!asleep || next > end || next == Clint::kNever) {
      if (asleep && end != Clint::kNever) h.cycle = std::max(h.cycle, end);
      return ends(Reason::kWait);
    }
    h.cycle = std::max(h.cycle, next);
  }
  m_sleeping = false;
  return false;
}

// A semihosting request at an ebreak. False: a breakpoint.
bool Core::serve_request(uint64_t pc) {
  const uint8_t* words = m_core.memory().at(pc - 4, 12, dsp::kExecute);
  constexpr uint32_t kRequest[] = {kBeforeRequest, kEbreak, kAfterRequest};
  if (words == nullptr || std::memcmp(words, kRequest, sizeof kRequest) != 0) return false;
  dsp::Hart& h = m_core.hart();
  const SemihostingAnswer answer = serve_semihosting(m_core.memory(), m_console, h.x[10], h.x[11]);
  if (answer.ends) return ends(Reason::kExit, static_cast<uint32_t>(answer.value));
  h.x[10] = answer.value;
  return true;
}

// Instructions of machine mode. False: `stop` is a trap.
bool Core::served(const dsp::Stop& stop) {
  dsp::Hart& h = m_core.hart();
  const bool illegal = stop.cause == Cause::kIllegal;
  if (illegal && stop.word == kMret) {
    m_pc = m_machine.leave();
    m_handles = false;
    h.cycle += m_config.trap_return;
  } else if (illegal && stop.word == kWfi) {
    m_pc += 4;
    m_sleeping = true;
    ++h.cycle;
  } else if (stop.cause == Cause::kBreakpoint && serve_request(m_pc)) {
    m_pc += 4;
    ++h.cycle;
  } else {
    return false;
  }
  ++m_served;
  return true;
}

// Enters the handler. True: the core stops, for the handler itself traps at once.
bool Core::take(const dsp::Stop& stop) {
  const uint64_t pc = stop.cause == Cause::kFetch ? stop.address : stop.pc;
  const uint64_t value = stop.cause == Cause::kIllegal ? stop.word : stop.address;
  m_pc = pc;
  const dsp::Hart& h = m_core.hart();
  const auto cause = static_cast<uint64_t>(stop.cause);
  if (!m_handles) m_trap = {true, cause, pc, value, h.x[1], h.x[2]};
  m_handles = true;
  if (stop.cause == Cause::kFetch && pc == m_machine.handler()) return ends(Reason::kLockup);
  m_pc = m_machine.enter(cause, false, pc, value);
  m_core.hart().cycle += m_config.trap_entry;
  return false;
}

const Stop& Core::run(uint64_t end, bool asleep) {
  dsp::Hart& h = m_core.hart();
  if (m_stop.reason == Reason::kLockup) return m_stop;
  m_stop = {};
  for (;;) {
    if (sleep_ends(end, asleep)) return m_stop;
    if (const unsigned code = m_machine.interrupt(h.cycle); code != 0) {
      m_pc = m_machine.enter(code, true, m_pc, 0);
      h.cycle += m_config.trap_entry;
    }
    if (h.cycle >= end) {
      ends(Reason::kTime);
      return m_stop;
    }
    if (m_pc >> 32 != 0) {  // instructions lie below 4 GiB
      h.stop = {Cause::kFetch, static_cast<uint32_t>(m_pc), 0, m_pc, 0};
      if (take(h.stop)) return m_stop;
      continue;
    }
    const dsp::Stop& stop = m_core.run(m_pc, std::min(end, m_machine.timer_cycle(h.cycle)));
    m_pc = stop.pc;
    if (stop.cause == Cause::kWatchdog) continue;
    if (stop.cause == Cause::kLater) {
      ends(Reason::kLater);
      return m_stop;
    }
    if (served(stop)) {
      if (m_stop.reason == Reason::kExit) return m_stop;
    } else if (take(stop)) {
      return m_stop;
    }
  }
}

}  // namespace presil::rv64
