// The state of the processor, a decoded instruction, and how one instruction goes on to the next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/cpu/cpu_config.h"
#include "models/cpu/cpu_memory.h"

namespace presil::cpu {

struct Hart;
struct Decoded;
class Blocks;
class System;

/// Executes `op` and says which one follows; null: the core leaves the loop, Hart::stop says why.
using Handler = Decoded* (*)(Hart& hart, Decoded* op);

// The loop of the core is `while (op) op = op->run(hart, op)`. Where the compiler turns calls in
// tail position into jumps, quick handlers jump to the next one themselves.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && defined(__GNUC__) && \
    !defined(__clang__) && !defined(PRESIL_CPU_NO_TAIL_CALLS)
#define PRESIL_CPU_NEXT(hart, next)     \
  do {                                  \
    Decoded* const next_op = (next);    \
    return next_op->run(hart, next_op); \
  } while (0)
#else
#define PRESIL_CPU_NEXT(hart, next) return (static_cast<void>(hart), (next))
#endif

/// A decoded instruction, or one of the steps that an instruction is decoded to.
struct Decoded {
  Handler run = nullptr;
  uint32_t imm = 0;
  uint8_t rd = 0, rn = 0, rm = 0, ra = 0;
  uint32_t pc = 0;
  uint16_t at = 0;     ///< cycle of issue, from that of the block's first
  uint16_t after = 0;  ///< of a way out: cycles of the block when it is left in line
  uint16_t taken = 0;  ///< the same by the way taken; inside a block: cycles that it takes itself
  uint16_t count = 0;  ///< instructions of the block before this one
  uint8_t length = 2;  ///< bytes
  uint8_t it = 0;      ///< ITSTATE before it
  uint8_t extra = 0;   ///< shift amount, carry of an immediate, registers of a list
  uint8_t mode = 0;    ///< addressing: bits of Mode; condition of a guard
  uint32_t word = 0;
  std::array<Decoded*, 2> exit{};  ///< of a way out: [0] in line, [1] taken; null: not gone yet
};

/// Why the core stopped.
enum class Reason : uint8_t {
  kTime,        ///< the cycle that was asked for has come
  kWait,        ///< WFI or WFE: nothing to do until an interrupt or event
  kBreakpoint,  ///< a BKPT that is no request to the semihost
  kExit,        ///< semihosting exit; Stop::status
  kLockup,      ///< a fault at a priority where none can be taken
  kLater,       ///< a device is not ready: nothing of the access has been done
};

struct Stop {
  Reason reason = Reason::kTime;
  uint32_t pc = 0;
  uint32_t status = 0;   ///< of an exit
  uint32_t address = 0;  ///< of a device that is not ready; of the fault that locked up
};

/// FPSCR.
constexpr uint32_t kFpInvalid = 1, kFpDivideByZero = 2, kFpOverflow = 4, kFpUnderflow = 8,
                   kFpInexact = 16, kFpDenormal = 128, kFpFlush = 1u << 24,
                   kFpDefaultNan = 1u << 25, kFpHalfAlternative = 1u << 26, kFpFlags = 0xf0000000,
                   kFpModes = 0x07c00000;

struct Hart {
  std::array<uint32_t, 17>
      r{};                 ///< [15] is not kept: an instruction knows its pc; [16]: sp, unchecked
  int64_t nz = 1;          ///< N: negative; Z: its low 32 bits are 0. Both may hold
  uint32_t c = 0;          ///< 0 or 1
  uint32_t v = 0;          ///< bit 31
  uint32_t q = 0, ge = 0;  ///< 1 bit; 4 bits
  uint32_t fpscr = 0;      ///< without N Z C V of comparisons: with them, all of it
  std::array<uint32_t, 32> s{};
  bool fp_ready = false;  ///< accessible, and its context is the running one's
  uint64_t cycle = 0;     ///< when the running block's first instruction issued
  uint64_t limit = 0;     ///< the loop is left at a block's end from this cycle on
  uint64_t retired = 0;
  uint32_t exclusive_address = 0, exclusive_value = 0;
  uint8_t exclusive_bytes = 0;  ///< 0: the monitor is open
  uint32_t stack_limit = 0;     ///< of the stack pointer in use
  Config config;
  Memory memory;
  Blocks* blocks = nullptr;
  System* system = nullptr;
  Stop stop;
  // Where to go on when the loop has been left.
  uint32_t pc = 0;
  uint8_t it = 0;
  bool left_at_boundary = false;  ///< null of a handler means: look for exceptions, then go on
  bool synchronise = false;       ///< an ISB was executed
  bool events_sent = false;       ///< a SEV was executed: for the other cores

  bool negative() const { return nz < 0; }
  bool zero() const { return static_cast<uint32_t>(nz) == 0; }
  void set_nz(uint32_t result) { nz = static_cast<int32_t>(result); }
  uint32_t apsr() const {
    return (negative() ? 1u << 31 : 0) | (zero() ? 1u << 30 : 0) | c << 29 | (v >> 31) << 28 |
           q << 27 | ge << 16;
  }
  void set_nzcv(uint32_t bits) {
    const bool n = (bits & 1u << 31) != 0, z = (bits & 1u << 30) != 0;
    nz = z ? (n ? -(int64_t{1} << 32) : 0) : (n ? -1 : 1);
    c = bits >> 29 & 1;
    v = bits << 3 & 1u << 31;
  }
};

inline uint64_t cycle_of(const Hart& hart, const Decoded& op) {
  return hart.cycle + op.at;
}

/// ITSTATE of the instruction after one that has `it`.
inline uint8_t next_it(uint8_t it) {
  return (it & 7) == 0 ? 0 : static_cast<uint8_t>((it & 0xe0) | (it << 1 & 0x1f));
}

/// Goes on at `pc` after a look for exceptions: leaves the loop.
Decoded* boundary(Hart& hart, uint32_t pc, uint8_t it);
/// Stops the core at `pc`.
Decoded* stop(Hart& hart, const Decoded& op, Reason reason, uint32_t pc);
/// Goes to the block at `pc`, found or decoded, remembered in the exit; or to `boundary`.
Decoded* enter(Hart& hart, Decoded** exit, uint32_t pc);

/// Leaves a block in line (0) or by the way taken (1).
inline Decoded* leave(Hart& h, Decoded* o, unsigned way, uint32_t pc) {
  h.cycle += way == 0 ? o->after : o->taken;
  h.retired += o->count + 1u;
  Decoded* next = o->exit[way];
  if (__builtin_expect(next == nullptr || h.cycle >= h.limit, 0))
    return enter(h, &o->exit[way], pc);
  PRESIL_CPU_NEXT(h, next);
}

/// Cycles and instructions up to `op`, which is not executed.
inline void settle(Hart& h, const Decoded& op) {
  h.cycle += op.at;
  h.retired += op.count;
}

/// Faults: the exception is taken, or the core locks up. `op` has no effect.
enum class Fault : uint8_t {
  kUndefined,
  kInvalidState,
  kInvalidReturn,
  kNoCoprocessor,
  kUnaligned,
  kDivideByZero,
  kStackOverflow,
  kFetchBus,
  kFetchMpu,
  kDataBus,
  kDataMpu,
};
Decoded* fault(Hart& hart, const Decoded& op, Fault kind, uint32_t address = 0);

/// A write to pc of BX, BLX, POP, LDM, LDR: bit 0 must be 1, or it is the return of an exception.
Decoded* branch_to(Hart& hart, Decoded* op, uint32_t target);

}  // namespace presil::cpu
