// What surrounds the instructions: exceptions, interrupt controller, timer, protection, privileges,
// registers of the system control space, sleep.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/cpu/cpu_hart.h"
#include "models/cpu/cpu_mpu.h"

namespace presil::cpu {

/// Exception numbers.
enum : unsigned {
  kReset = 1,
  kNmi = 2,
  kHardFault = 3,
  kMemManage = 4,
  kBusFault = 5,
  kUsageFault = 6,
  kSvCall = 11,
  kDebugMonitor = 12,
  kPendSv = 14,
  kSysTick = 15,
  kFirstInterrupt = 16
};

/// What the core has met, as it was when no other fault was being handled.
struct FaultReport {
  unsigned exception = 0;  ///< 0: none since the reset
  uint32_t status = 0;     ///< bits of CFSR
  uint32_t pc = 0, lr = 0, sp = 0;
  uint32_t address = 0;  ///< of the access
};

class System {
 public:
  static constexpr uint64_t kNever = ~uint64_t{0};

  explicit System(Hart& hart);
  void reset();

  // What instructions ask for.
  bool traps_divide_by_zero() const { return (m_ccr & 16) != 0; }
  bool traps_unaligned() const { return (m_ccr & 8) != 0; }
  bool is_return(uint32_t target) const {
    return m_ipsr != 0 && target >> 24 == 0xff && (m_hart.config.v8() || target >= 0xffffffe0);
  }
  Decoded* leave_exception(uint32_t exc_return);
  /// A branch to an address whose bit 0 is 0.
  Decoded* enter_arm_state(const Decoded& op, uint32_t target);
  Decoded* call_supervisor(const Decoded& op);
  Decoded* take_fault(const Decoded& op, Fault kind, uint32_t address);
  /// Access to the float unit, and the context that is saved late. False: a fault was taken.
  bool prepare_float(const Decoded& op, Decoded*& next);
  uint32_t read_special(unsigned number) const;
  void write_special(unsigned number, unsigned mask, uint32_t value);
  void change_masks(bool disable, bool interrupts, bool faults);
  bool privileged() const { return m_ipsr != 0 || (m_control & 1) == 0; }

  // The system control space.
  static bool owns(uint32_t address) { return address >> 20 == 0xe00; }
  bool load(uint32_t address, unsigned bytes, uint64_t cycle, uint32_t& value);
  bool store(uint32_t address, unsigned bytes, uint64_t cycle, uint32_t value);

  // Interrupts from outside: a level, or a pulse that stays pending.
  void set_interrupt(unsigned line, bool level);
  void pulse(unsigned exception);
  void send_event();

  // Sleep.
  void wait_for_interrupt() { m_sleeps = Sleep::kInterrupt; }
  /// False: an event was there, and is consumed.
  bool wait_for_event();
  bool sleeping() const { return m_sleeps != Sleep::kNot; }

  /// Time has come to `cycle`: the timer counts; sleep ends; a pending exception is taken.
  void advance(uint64_t cycle);
  void take_pending();
  bool wakes();
  /// Cycle in which something happens without a call from outside; kNever.
  uint64_t next_event() const;
  bool locked_up() const { return m_locked_up; }
  bool reset_requested() const { return m_reset_requested; }
  unsigned current_exception() const { return m_ipsr; }
  const FaultReport& last_fault() const { return m_last_fault; }

 private:
  struct Exception {
    int16_t priority = 0;
    bool enabled = false, pending = false, active = false, level = false;
  };
  enum class Sleep : uint8_t { kNot, kInterrupt, kEvent };

  int group_of(int priority) const;
  int active_priority() const;
  int execution_priority() const;
  /// The most urgent one that is pending and enabled; 0: none.
  unsigned most_urgent() const;
  void changed();
  void set_pending(unsigned exception);
  /// Pending without a word to the running block.
  void mark_pending(unsigned exception) {
    m_exceptions[exception].pending = true;
    m_may_be_pending = true;
  }
  bool write_stack(uint32_t address, uint32_t value);
  bool read_stack(uint32_t address, uint32_t& value);
  uint32_t exception_return_value(bool with_float) const;
  /// Stacks and enters. `thumb` as the stacked xPSR has it.
  void enter_exception(unsigned exception, uint32_t return_pc, uint8_t it, bool thumb);
  void fetch_vector(unsigned exception);
  void stack_fault(bool by_mpu, bool while_stacking);
  void report_fault(unsigned exception, uint32_t status, uint32_t pc);
  Decoded* raise(unsigned exception, uint32_t status, uint32_t pc, uint8_t it, bool thumb);
  Decoded* lock_up(uint32_t pc);
  void save_float_late();
  void select_stack();
  void set_control(uint32_t value);
  void update_privilege();
  void update_float();
  bool uses_process_stack() const { return m_ipsr == 0 && (m_control & 2) != 0; }
  uint32_t xpsr(uint8_t it, bool thumb) const;
  void set_timer(uint64_t cycle, uint32_t value);
  uint32_t timer_value(uint64_t cycle) const;

  uint32_t load_word(uint32_t offset, uint64_t cycle);
  void store_word(uint32_t offset, uint32_t value, uint64_t cycle);
  uint32_t load_interrupts(uint32_t offset) const;
  void store_interrupts(uint32_t offset, uint32_t value);
  uint32_t handler_state() const;
  void set_handler_state(uint32_t value);
  uint32_t feature(uint32_t offset) const;

  Hart& m_hart;
  Mpu m_mpu;
  std::vector<Exception> m_exceptions;
  uint32_t m_ipsr = 0, m_control = 0, m_primask = 0, m_faultmask = 0, m_basepri = 0;
  uint32_t m_other_sp = 0;         ///< the stack pointer that is not in use
  bool m_process_stack = false;    ///< the one in use is PSP
  uint32_t m_stack_limit[2] = {};  ///< MSPLIM, PSPLIM
  uint32_t m_vtor = 0, m_aircr = 0, m_scr = 0, m_ccr = 0x200, m_cfsr = 0, m_hfsr = 0, m_dfsr = 0;
  uint32_t m_mmfar = 0, m_bfar = 0, m_cpacr = 0, m_fpccr = 0xc0000000, m_fpcar = 0, m_fpdscr = 0;
  uint32_t m_demcr = 0, m_dwt_control = 0;
  uint64_t m_dwt_from = 0;
  uint32_t m_timer_control = 0, m_timer_reload = 0, m_timer_stopped = 0;
  uint64_t m_timer_zero = kNever;  ///< cycle in which it counts to 0
  Sleep m_sleeps = Sleep::kNot;
  FaultReport m_last_fault;
  uint32_t m_fault_address = 0;
  uint32_t m_left_pc = 0;                 // where the exception that is entered goes back to
  bool m_takes_fault = false;             // a fault is being entered: it has been reported
  mutable bool m_may_be_pending = false;  ///< false: no exception is pending
  bool m_event = false, m_locked_up = false, m_reset_requested = false;
};

}  // namespace presil::cpu
