#include "models/rv64/rv64_machine.h"

namespace presil::rv64 {
namespace {

enum : unsigned {
  kVstart = 0x008,
  kVxsat = 0x009,
  kVxrm = 0x00a,
  kVcsr = 0x00f,
  kMstatus = 0x300,
  kMisa = 0x301,
  kMie = 0x304,
  kMtvec = 0x305,
  kMscratch = 0x340,
  kMepc = 0x341,
  kMcause = 0x342,
  kMtval = 0x343,
  kMip = 0x344,
  kFirstEvent = 0xb03,
  kLastEvent = 0xb1f,
  kTime = 0xc01,
  kVl = 0xc20,
  kVtype = 0xc21,
  kVlenb = 0xc22,
  kMvendorid = 0xf11,
  kMarchid = 0xf12,
  kMimpid = 0xf13,
  kMhartid = 0xf14
};

constexpr uint64_t kStatusMie = 1 << 3, kStatusMpie = 1 << 7;  // of mstatus
// RV64 with C, F, I, M.
constexpr uint64_t kIsa = uint64_t{2} << 62 | 1 << 2 | 1 << 5 | 1 << 8 | 1 << 12;
// FS always dirty, hence SD; MPP machine mode, the only one; VS off.
constexpr uint64_t kStatus = uint64_t{1} << 63 | 3 << 13 | 3 << 11;
constexpr uint64_t kInterrupt = uint64_t{1} << 63;
constexpr uint64_t kImplemented =
    1 << Machine::kSoftware | 1 << Machine::kTimer | 1 << Machine::kExternal;

}  // namespace

void Machine::reset() {
  m_external = m_on = m_before = false;
  m_enabled = m_vector = m_scratch = m_pc = m_cause = m_value = 0;
}

uint64_t Machine::pending(uint64_t cycle) const {
  return (m_clint.software() ? 1u << kSoftware : 0u) | (m_clint.timer(cycle) ? 1u << kTimer : 0u) |
         (m_external ? 1u << kExternal : 0u);
}

// The privileged architecture's order: external, software, timer.
unsigned Machine::interrupt(uint64_t cycle) const {
  const uint64_t taken = m_on ? pending(cycle) & m_enabled : 0;
  for (const unsigned code : {kExternal, kSoftware, kTimer})
    if ((taken >> code & 1) != 0) return code;
  return 0;
}

uint64_t Machine::timer_cycle(uint64_t cycle) const {
  const bool counts = (m_enabled >> kTimer & 1) != 0 && !m_clint.timer(cycle);
  return counts ? m_clint.timer_cycle() : Clint::kNever;
}

uint64_t Machine::enter(uint64_t cause, bool is_interrupt, uint64_t pc, uint64_t value) {
  m_cause = cause | (is_interrupt ? kInterrupt : 0);
  m_pc = pc;
  m_value = value;
  m_before = m_on;
  m_on = false;
  const bool vectored = (m_vector & 3) == 1 && is_interrupt;
  return handler() + (vectored ? 4 * cause : 0);
}

uint64_t Machine::leave() {
  m_on = m_before;
  m_before = true;
  return m_pc;
}

Machine::Answer Machine::read(unsigned number, uint64_t cycle, uint64_t& value) {
  switch (number) {
    case kMstatus:
      value = kStatus | (m_on ? kStatusMie : 0) | (m_before ? kStatusMpie : 0);
      return Answer::kDone;
    case kMisa:
      value = kIsa;
      return Answer::kDone;
    case kMie:
      value = m_enabled;
      return Answer::kDone;
    case kMtvec:
      value = m_vector;
      return Answer::kDone;
    case kMscratch:
      value = m_scratch;
      return Answer::kDone;
    case kMepc:
      value = m_pc;
      return Answer::kDone;
    case kMcause:
      value = m_cause;
      return Answer::kDone;
    case kMtval:
      value = m_value;
      return Answer::kDone;
    case kMip:
      value = pending(cycle);
      return Answer::kDone;
    case kTime:
      value = m_clint.time(cycle);
      return Answer::kDone;
    case kMvendorid:
    case kMarchid:
    case kMimpid:
    case kMhartid:
      value = 0;
      return Answer::kDone;
    case kVstart:
    case kVxsat:
    case kVxrm:
    case kVcsr:
    case kVl:
    case kVtype:
    case kVlenb:
      return Answer::kIllegal;
    default:
      return number >= kFirstEvent && number <= kLastEvent ? Answer::kIllegal : Answer::kOthers;
  }
}

Machine::Answer Machine::write(unsigned number, uint64_t, uint64_t value) {
  switch (number) {
    case kMstatus:
      m_on = (value & kStatusMie) != 0;
      m_before = (value & kStatusMpie) != 0;
      return Answer::kLook;
    case kMie:
      m_enabled = value & kImplemented;
      return Answer::kLook;
    case kMip:  // its bits are those of CLINT and line
    case kMisa:
      return Answer::kDone;
    case kMtvec:
      m_vector = value & ~uint64_t{2};
      return Answer::kDone;
    case kMscratch:
      m_scratch = value;
      return Answer::kDone;
    case kMepc:
      m_pc = value & ~uint64_t{1};
      return Answer::kDone;
    case kMcause:
      m_cause = value;
      return Answer::kDone;
    case kMtval:
      m_value = value;
      return Answer::kDone;
    default:
      return Answer::kIllegal;
  }
}

}  // namespace presil::rv64
