// Entry to and return from exceptions: frames, priorities, tail chaining, late arrival.
#include <algorithm>

#include "models/cpu/cpu_blocks.h"
#include "models/cpu/cpu_system.h"

namespace presil::cpu {
namespace {

constexpr int kThreadPriority = 256;
constexpr uint32_t kFloatActive = 4;  // CONTROL.FPCA

}  // namespace

int System::group_of(int priority) const {
  if (priority < 0) return priority;
  const unsigned below = (m_aircr >> 8 & 7) + 1;  // bits of the subpriority
  return below >= 8 ? 0 : priority >> below << below;
}

int System::active_priority() const {
  int least = kThreadPriority;
  for (const Exception& e : m_exceptions)
    if (e.active) least = std::min(least, group_of(e.priority));
  return least;
}

int System::execution_priority() const {
  int least = active_priority();
  if (m_basepri != 0) least = std::min(least, group_of(static_cast<int>(m_basepri)));
  if (m_primask != 0) least = std::min(least, 0);
  if (m_faultmask != 0) least = std::min(least, -1);
  return least;
}

unsigned System::most_urgent() const {
  if (!m_may_be_pending) return 0;
  unsigned best = 0;
  m_may_be_pending = false;
  for (unsigned n = kNmi; n < m_exceptions.size(); ++n) {
    const Exception& e = m_exceptions[n];
    m_may_be_pending |= e.pending;
    if (!e.pending || !e.enabled) continue;
    if (best == 0 || e.priority < m_exceptions[best].priority) best = n;
  }
  return best;
}

uint32_t System::xpsr(uint8_t it, bool thumb) const {
  return m_hart.apsr() | (it & 3u) << 25 | (it >> 2 & 63u) << 10 | (thumb ? 1u << 24 : 0) | m_ipsr;
}

// Stacking and unstacking are accesses of the program that is left.
bool System::write_stack(uint32_t address, uint32_t value) {
  uint8_t* host = m_hart.memory.at(address, 4, kWrite);
  const bool mpu = !m_hart.memory.allowed(address, 4, kWrite, m_hart.memory.privileged);
  if (host == nullptr || mpu) {
    stack_fault(mpu, true);
    return false;
  }
  std::memcpy(host, &value, 4);
  return true;
}

bool System::read_stack(uint32_t address, uint32_t& value) {
  const uint8_t* host = m_hart.memory.at(address, 4, kRead);
  const bool privileged = m_hart.memory.privileged;
  const bool mpu = !m_hart.memory.allowed(address, 4, kRead, privileged);
  if (host == nullptr || mpu) {
    stack_fault(mpu, false);
    return false;
  }
  std::memcpy(&value, host, 4);
  return true;
}

void System::stack_fault(bool by_mpu, bool while_stacking) {
  const unsigned exception = by_mpu ? kMemManage : kBusFault;
  const uint32_t status = (while_stacking ? 0x10u : 0x08u) << (by_mpu ? 0 : 8);
  m_cfsr |= status;
  report_fault(exception, status, while_stacking ? m_left_pc : m_hart.pc);
  if (m_exceptions[exception].enabled) {
    mark_pending(exception);
  } else {
    m_hfsr |= 1u << 30;
    mark_pending(kHardFault);
  }
}

uint32_t System::exception_return_value(bool with_float) const {
  const uint32_t thread = m_ipsr == 0 ? 8 : 0, process = uses_process_stack() ? 4 : 0;
  if (m_hart.config.v8()) return 0xffffffa0 | (with_float ? 0 : 16) | thread | process;
  return 0xffffffe1 | (with_float ? 0 : 16) | thread | process;
}

void System::enter_exception(unsigned exception, uint32_t return_pc, uint8_t it, bool thumb) {
  Hart& h = m_hart;
  m_left_pc = return_pc;
  const bool with_float = (m_control & kFloatActive) != 0;
  const uint32_t size = with_float ? 0x68 : 0x20;
  const uint32_t align = (m_ccr & 0x200) != 0 ? h.r[13] & 4 : 0;
  const uint32_t frame = h.r[13] - size - align;
  const uint32_t lr = exception_return_value(with_float);
  const uint32_t words[8] = {
      h.r[0],  h.r[1],  h.r[2],    h.r[3],
      h.r[12], h.r[14], return_pc, xpsr(it, thumb) | (align != 0 ? 512u : 0)};
  bool stacked = frame >= h.stack_limit;
  if (!stacked) {
    m_cfsr |= 1u << 20;  // STKOF
    if (m_exceptions[kUsageFault].enabled && exception != kUsageFault) {
      mark_pending(kUsageFault);
    } else {
      m_hfsr |= 1u << 30;
      exception = kHardFault;
    }
  }
  for (uint32_t i = 0; i < 8 && stacked; ++i) stacked = write_stack(frame + 4 * i, words[i]);
  if (with_float) {
    m_fpcar = frame + 0x20;
    m_fpccr |= 1;  // LSPACT: saved before the next float instruction
    if ((m_fpccr & 1u << 30) == 0 && stacked) save_float_late();
    m_control &= ~kFloatActive;
  }
  h.r[13] = stacked ? frame : std::max(frame, h.stack_limit);
  h.cycle += h.config.timing.exception_entry;
  // Late arrival: a more urgent one that came while registers were stacked goes first.
  mark_pending(exception);
  advance(h.cycle);
  const unsigned urgent = most_urgent();
  if (urgent != 0 && m_exceptions[urgent].priority < m_exceptions[exception].priority)
    exception = urgent;
  h.r[14] = lr;
  fetch_vector(exception);
}

// From here on the handler runs; the frame is on the stack.
void System::fetch_vector(unsigned exception) {
  Hart& h = m_hart;
  Exception& e = m_exceptions[exception];
  e.pending = false;
  e.active = true;
  m_ipsr = exception;
  m_control &= ~2u;
  select_stack();
  update_privilege();
  update_float();
  h.exclusive_bytes = 0;
  m_event = true;
  m_sleeps = Sleep::kNot;
  const uint8_t* host = h.memory.at(m_vtor + 4 * exception, 4, kRead);
  uint32_t vector = 0;
  if (host != nullptr) std::memcpy(&vector, host, 4);
  h.pc = vector & ~1u;
  h.it = 0;
  h.left_at_boundary = true;
  if (host != nullptr && (vector & 1) != 0) return;
  // no vector, or one that is no Thumb address
  if (exception == kHardFault) {
    lock_up(h.pc);
    return;
  }
  if (host == nullptr) {
    m_hfsr |= 2;
    enter_exception(kHardFault, h.pc, 0, true);
  } else {
    raise(kUsageFault, 1u << 17, h.pc, 0, false);
  }
}

Decoded* System::lock_up(uint32_t pc) {
  m_locked_up = true;
  m_hart.stop = {Reason::kLockup, pc, 0, m_mmfar | m_bfar};
  m_hart.pc = pc;
  m_hart.left_at_boundary = false;
  return nullptr;
}

// A handler of faults may fail in its turn, and so may the stacking before it: the first one is
// what is to be told.
void System::report_fault(unsigned exception, uint32_t status, uint32_t pc) {
  if (m_takes_fault || (m_ipsr >= kHardFault && m_ipsr <= kUsageFault)) return;
  const Hart& h = m_hart;
  m_last_fault = {exception, status, pc, h.r[14], h.r[13], m_fault_address};
}

// A synchronous exception: taken now, or escalated.
Decoded* System::raise(unsigned exception, uint32_t status, uint32_t pc, uint8_t it, bool thumb) {
  m_cfsr |= status;
  const bool is_fault = exception <= kUsageFault;
  if (is_fault) report_fault(exception, status, pc);
  const int priority = execution_priority();
  const Exception& e = m_exceptions[exception];
  unsigned taken = exception;
  if (!e.enabled || group_of(e.priority) >= priority) {
    m_hfsr |= 1u << 30;  // FORCED
    taken = kHardFault;
  }
  if (taken == kHardFault && priority <= -1) return lock_up(pc);
  m_takes_fault = is_fault;
  enter_exception(taken, pc, it, thumb);
  m_takes_fault = false;
  return nullptr;
}

Decoded* System::call_supervisor(const Decoded& op) {
  settle(m_hart, op);
  ++m_hart.retired;
  return raise(kSvCall, 0, op.pc + 2, next_it(op.it), true);
}

Decoded* System::enter_arm_state(const Decoded& op, uint32_t target) {
  m_hart.cycle += op.taken;
  m_hart.retired += op.count + 1u;
  return raise(kUsageFault, 1u << 17, target & ~1u, 0, false);
}

Decoded* System::take_fault(const Decoded& op, Fault kind, uint32_t address) {
  settle(m_hart, op);
  m_fault_address = address;
  unsigned exception = kUsageFault;
  uint32_t status = 0;
  switch (kind) {
    case Fault::kUndefined:
      status = 1u << 16;
      break;
    case Fault::kInvalidState:
      status = 1u << 17;
      break;
    case Fault::kInvalidReturn:
      status = 1u << 18;
      break;
    case Fault::kNoCoprocessor:
      status = 1u << 19;
      break;
    case Fault::kStackOverflow:
      status = 1u << 20;
      break;
    case Fault::kUnaligned:
      status = 1u << 24;
      break;
    case Fault::kDivideByZero:
      status = 1u << 25;
      break;
    case Fault::kFetchBus:
      exception = kBusFault, status = 1u << 8;
      break;
    case Fault::kFetchMpu:
      exception = kMemManage, status = 1;
      break;
    case Fault::kDataBus:
      exception = kBusFault, status = 0x8200;
      m_bfar = address;
      break;
    case Fault::kDataMpu:
      exception = kMemManage, status = 0x82;
      m_mmfar = address;
      break;
  }
  return raise(exception, status, op.pc, op.it, true);
}

Decoded* fault(Hart& hart, const Decoded& op, Fault kind, uint32_t address) {
  return hart.system->take_fault(op, kind, address);
}

void System::take_pending() {
  const unsigned urgent = most_urgent();
  if (urgent == 0 || group_of(m_exceptions[urgent].priority) >= execution_priority()) return;
  enter_exception(urgent, m_hart.pc, m_hart.it, true);
}

Decoded* System::leave_exception(uint32_t exc_return) {
  Hart& h = m_hart;
  const unsigned left = m_ipsr;
  const bool thread = (exc_return & 8) != 0, process = (exc_return & 4) != 0,
             with_float = (exc_return & 16) == 0;
  const auto nested = std::count_if(m_exceptions.begin(), m_exceptions.end(),
                                    [](const Exception& e) { return e.active; });
  const uint32_t fixed = h.config.v8() ? 0xffffffa0 : 0xffffffe1;
  const uint32_t known = fixed | 0x1c;
  const bool valid = m_exceptions[left].active && (exc_return | 0x1c) == known &&
                     (thread ? nested == 1 || (m_ccr & 1) != 0 : nested > 1 && !process) &&
                     (!with_float || h.config.fpu != Fpu::kNone);
  m_exceptions[left].active = false;
  if (left >= kFirstInterrupt && m_exceptions[left].level) mark_pending(left);
  if (left != kNmi && m_exceptions[left].priority > -2) m_faultmask = 0;
  if (!valid) {
    // chained: the frame stays as it is
    m_cfsr |= 1u << 18;
    h.r[14] = exc_return;
    h.cycle += h.config.timing.tail_chain;
    const Exception& usage = m_exceptions[kUsageFault];
    const int now = execution_priority();
    const bool taken = usage.enabled && group_of(usage.priority) < now;
    if (!taken) m_hfsr |= 1u << 30;
    if (!taken && now <= -1) return lock_up(exc_return);
    fetch_vector(taken ? kUsageFault : kHardFault);
    return nullptr;
  }
  // Tail chaining: the next handler needs the frame as it is.
  const unsigned urgent = most_urgent();
  const int priority = execution_priority();
  if (urgent != 0 && group_of(m_exceptions[urgent].priority) < priority) {
    h.cycle += h.config.timing.tail_chain;
    h.r[14] = exc_return;
    fetch_vector(urgent);
    return nullptr;
  }
  m_ipsr = thread ? 0 : left;  // of a handler: what the frame says
  m_control = (m_control & ~2u) | (thread && process ? 2 : 0);
  select_stack();
  update_privilege();
  const uint32_t frame = h.r[13];
  uint32_t words[8] = {};
  for (uint32_t i = 0; i < 8; ++i)
    if (!read_stack(frame + 4 * i, words[i])) break;
  if (with_float) {
    if ((m_fpccr & 1) != 0) {
      m_fpccr &= ~1u;
    } else {
      for (uint32_t i = 0; i < 16; ++i) read_stack(frame + 0x20 + 4 * i, h.s[i]);
      read_stack(frame + 0x60, h.fpscr);
    }
  }
  m_control = (m_control & ~kFloatActive) | (with_float ? kFloatActive : 0);
  for (unsigned i = 0; i < 4; ++i) h.r[i] = words[i];
  h.r[12] = words[4];
  h.r[14] = words[5];
  const uint32_t psr = words[7];
  h.r[13] = frame + (with_float ? 0x68 : 0x20) + ((psr & 512) != 0 ? 4 : 0);
  h.set_nzcv(psr);
  h.q = psr >> 27 & 1;
  h.ge = psr >> 16 & 15;
  m_ipsr = thread ? 0 : psr & 511;
  update_privilege();
  update_float();
  h.exclusive_bytes = 0;
  m_event = true;
  h.cycle += h.config.timing.exception_return;
  if (thread && (m_scr & 2) != 0) m_sleeps = Sleep::kInterrupt;  // SLEEPONEXIT
  const auto it = static_cast<uint8_t>((psr >> 25 & 3) | (psr >> 10 & 63) << 2);
  if ((psr & 1u << 24) == 0) return raise(kUsageFault, 1u << 17, words[6] & ~1u, it, false);
  return boundary(h, words[6] & ~1u, it);
}

}  // namespace presil::cpu
