// Privileges, stack pointers, special registers, interrupts, timer and sleep.
#include "models/cpu/cpu_system.h"

#include <algorithm>

#include "models/cpu/cpu_blocks.h"

namespace presil::cpu {

System::System(Hart& hart) : m_hart(hart) {
  m_mpu.configure(hart.config);
  m_exceptions.resize(kFirstInterrupt + hart.config.interrupts);
  hart.memory.set_protection(&m_mpu);
}

void System::reset() {
  // a line that is high is pending again
  for (Exception& e : m_exceptions) e = {0, false, e.level, false, e.level};
  m_may_be_pending = true;
  constexpr int16_t kFixed[4] = {0, -3, -2, -1};
  for (unsigned n = kReset; n <= kHardFault; ++n) m_exceptions[n].priority = kFixed[n];
  for (const unsigned n : {+kNmi, +kHardFault, +kSvCall, +kPendSv, +kSysTick})
    m_exceptions[n].enabled = true;
  m_mpu.reset();
  m_ipsr = m_control = m_primask = m_faultmask = m_basepri = m_other_sp = 0;
  m_process_stack = false;
  m_stack_limit[0] = m_stack_limit[1] = 0;
  m_aircr = m_scr = m_cfsr = m_hfsr = m_dfsr = m_mmfar = m_bfar = m_cpacr = m_fpcar = m_fpdscr = 0;
  m_ccr = 0x200 | (m_hart.config.v8() ? 1 : 0);
  m_fpccr = 0xc0000000;
  m_demcr = m_dwt_control = m_timer_control = m_timer_reload = m_timer_stopped = 0;
  m_dwt_from = 0;
  m_timer_zero = kNever;
  m_sleeps = Sleep::kNot;
  m_event = m_locked_up = m_reset_requested = false;
  m_last_fault = {};
  m_fault_address = 0;
  select_stack();
  update_privilege();
  update_float();
}

void System::select_stack() {
  if (uses_process_stack() != m_process_stack) {
    std::swap(m_other_sp, m_hart.r[13]);
    m_process_stack = !m_process_stack;
  }
  m_hart.stack_limit = m_stack_limit[m_process_stack ? 1 : 0];
}

void System::update_privilege() {
  const bool bypass = m_mpu.enabled() && (m_mpu.load(4) & 2) == 0 &&
                      (m_faultmask != 0 || (m_ipsr != 0 && m_exceptions[m_ipsr].priority < 0));
  if (privileged() == m_hart.memory.privileged && bypass == m_mpu.bypassed) return;
  m_hart.memory.privileged = privileged();
  m_mpu.bypassed = bypass;
  m_hart.memory.forget();
  // instructions too may be allowed to one only
  if (m_mpu.enabled()) m_hart.blocks->drop();
}

void System::update_float() {
  const unsigned access = m_cpacr >> 20 & 3;
  const bool allowed = access == 3 || (access == 1 && privileged());
  m_hart.fp_ready = m_hart.config.fpu != Fpu::kNone && allowed && (m_fpccr & 1) == 0 &&
                    ((m_control & 4) != 0 || (m_fpccr & 1u << 31) == 0);
}

void System::save_float_late() {
  for (uint32_t i = 0; i < 16; ++i) write_stack(m_fpcar + 4 * i, m_hart.s[i]);
  write_stack(m_fpcar + 0x40, m_hart.fpscr);
  m_fpccr &= ~1u;
}

bool System::prepare_float(const Decoded& op, Decoded*& next) {
  const unsigned access = m_cpacr >> 20 & 3;
  if (m_hart.config.fpu == Fpu::kNone || !(access == 3 || (access == 1 && privileged()))) {
    next = fault(m_hart, op, Fault::kNoCoprocessor);
    return false;
  }
  if ((m_fpccr & 1) != 0) save_float_late();
  if ((m_control & 4) == 0 && (m_fpccr & 1u << 31) != 0) {
    m_control |= 4;
    m_hart.fpscr = m_fpdscr;
  }
  update_float();
  return true;
}

void System::set_control(uint32_t value) {
  const bool thread = m_ipsr == 0;
  const uint32_t writable = 1 | (thread ? 2 : 0) | (m_hart.config.fpu != Fpu::kNone ? 4 : 0);
  m_control = (m_control & ~writable) | (value & writable);
  select_stack();
  update_privilege();
  update_float();
}

uint32_t System::read_special(unsigned number) const {
  const bool allowed = privileged();
  if (number < 8) {
    return ((number & 4) == 0 ? m_hart.apsr() : 0) | ((number & 1) != 0 && allowed ? m_ipsr : 0);
  }
  if (number == 20) return m_control;
  if (!allowed) return 0;
  switch (number) {
    case 8:
      return m_process_stack ? m_other_sp : m_hart.r[13];
    case 9:
      return m_process_stack ? m_hart.r[13] : m_other_sp;
    case 10:
    case 11:
      return m_stack_limit[number - 10];
    case 16:
      return m_primask;
    case 17:
    case 18:
      return m_basepri;
    case 19:
      return m_faultmask;
    default:
      return 0;
  }
}

void System::write_special(unsigned number, unsigned mask, uint32_t value) {
  if (number < 4) {
    if ((mask & 2) != 0) {
      m_hart.set_nzcv(value);
      m_hart.q = value >> 27 & 1;
    }
    if ((mask & 1) != 0 && m_hart.config.dsp) m_hart.ge = value >> 16 & 15;
    return;
  }
  if (!privileged()) return;
  const uint32_t priority = value & 255 & ~((1u << (8 - m_hart.config.priority_bits)) - 1);
  switch (number) {
    case 8:
      (m_process_stack ? m_other_sp : m_hart.r[13]) = value & ~3u;
      break;
    case 9:
      (m_process_stack ? m_hart.r[13] : m_other_sp) = value & ~3u;
      break;
    case 10:
    case 11:
      if (m_hart.config.v8()) m_stack_limit[number - 10] = value & ~7u;
      select_stack();
      break;
    case 16:
      m_primask = value & 1;
      break;
    case 17:
      m_basepri = priority;
      break;
    case 18:
      if (priority != 0 && (m_basepri == 0 || priority < m_basepri)) m_basepri = priority;
      break;
    case 19:
      if (execution_priority() > -1) m_faultmask = value & 1;
      update_privilege();
      break;
    case 20:
      set_control(value);
      break;
    default:
      break;
  }
  changed();
}

void System::change_masks(bool disable, bool interrupts, bool faults) {
  if (!privileged()) return;
  if (interrupts) m_primask = disable ? 1 : 0;
  if (faults && (!disable || execution_priority() > -1)) m_faultmask = disable ? 1 : 0;
  update_privilege();
  changed();
}

// The core looks for exceptions when the running block ends.
void System::changed() {
  m_hart.limit = 0;
}

void System::set_pending(unsigned exception) {
  Exception& e = m_exceptions[exception];
  if (!e.pending && (m_scr & 16) != 0) m_event = true;  // SEVONPEND
  mark_pending(exception);
  changed();
}

void System::set_interrupt(unsigned line, bool level) {
  Exception& e = m_exceptions[kFirstInterrupt + line];
  if (level && !e.level && !e.active) set_pending(kFirstInterrupt + line);
  e.level = level;
}

void System::pulse(unsigned exception) {
  set_pending(exception);
}

void System::send_event() {
  m_event = true;
}

bool System::wait_for_event() {
  if (m_event) {
    m_event = false;
    return false;
  }
  m_sleeps = Sleep::kEvent;
  return true;
}

// PRIMASK does not keep a core asleep.
bool System::wakes() {
  if (m_sleeps == Sleep::kNot) return true;
  bool awake = m_sleeps == Sleep::kEvent && m_event;
  if (!awake) {
    const unsigned urgent = most_urgent();
    int least = active_priority();
    if (m_basepri != 0) least = std::min(least, group_of(static_cast<int>(m_basepri)));
    awake = urgent != 0 && group_of(m_exceptions[urgent].priority) < least;
  }
  if (!awake) return false;
  if (m_sleeps == Sleep::kEvent) m_event = false;
  m_sleeps = Sleep::kNot;
  return true;
}

uint64_t System::next_event() const {
  return m_timer_zero;
}

void System::advance(uint64_t cycle) {
  while (m_timer_zero <= cycle) {
    m_timer_control |= 1u << 16;  // COUNTFLAG
    if ((m_timer_control & 2) != 0) {
      mark_pending(kSysTick);
      if ((m_scr & 16) != 0) m_event = true;
    }
    if (m_timer_reload == 0) {
      m_timer_zero = kNever;
      return;
    }
    const uint64_t period = uint64_t{m_timer_reload} + 1;
    // many periods at once, where none of them is told
    m_timer_zero += (cycle - m_timer_zero) / period * period + period;
  }
}

uint32_t System::timer_value(uint64_t cycle) const {
  if ((m_timer_control & 1) == 0 || m_timer_zero == kNever) return m_timer_stopped;
  return m_timer_zero < cycle ? 0 : static_cast<uint32_t>(m_timer_zero - cycle);
}

// A write of any value clears the count; it is loaded again one cycle later.
void System::set_timer(uint64_t cycle, uint32_t value) {
  m_timer_stopped = value;
  m_timer_zero = kNever;
  if ((m_timer_control & 1) == 0) return;
  if (value != 0)
    m_timer_zero = cycle + value;
  else if (m_timer_reload != 0)
    m_timer_zero = cycle + 1 + m_timer_reload;
  changed();
}

}  // namespace presil::cpu
