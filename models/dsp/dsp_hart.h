// The state of the processor, a decoded instruction, and how one instruction goes on to the next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "models/dsp/dsp_config.h"
#include "models/dsp/dsp_memory.h"
#include "models/dsp/dsp_timing.h"

namespace presil::dsp {

struct Hart;
struct Decoded;
struct VectorOp;
struct Instruction;
class Blocks;
class Tracer;

/// What an instruction occupies and for how long; see dsp_timing.
enum class Class : uint8_t {
  kAlu,
  kLoad,
  kStore,
  kBranch,
  kJump,
  kJumpRegister,
  kMultiply,
  kDivide32,
  kDivide64,
  kFloat,
  kFloatDivide,
  kSystem,
  kConfigure,   ///< vsetvl and its kin
  kVector,      ///< four-stage lanes: integer, logic, float
  kVectorLong,  ///< six stages: fixed point, widening, narrowing
  kVectorMultiply,
  kVectorCompare,
  kVectorMask,   ///< logic on masks
  kVectorCount,  ///< vcpop, vfirst
  kVectorIota,
  kVectorToScalar,
  kVectorReduce,
  kVectorFloatSum,
  kVectorDivide,
  kVectorSlide,
  kVectorGather,     ///< a crossbar: .vv, vcompress
  kVectorGatherOne,  ///< vrgather.vx, .vi
  kVectorLoad,
  kVectorStore,
};

/// Executes `op` and says which one follows; null: the core stops, Hart::stop says why.
using Handler = Decoded* (*)(Hart& hart, Decoded* op);

// The loop of the core is `while (op) op = op->run(hart, op)`. Where the compiler turns calls in
// tail position into jumps, quick handlers jump to the next one themselves and the loop turns only
// for the others.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && defined(__GNUC__) && \
    !defined(__clang__) && !defined(PRESIL_DSP_NO_TAIL_CALLS)
#define PRESIL_DSP_NEXT(hart, next)     \
  do {                                  \
    Decoded* const next_op = (next);    \
    return next_op->run(hart, next_op); \
  } while (0)
#else
#define PRESIL_DSP_NEXT(hart, next) return (next)
#endif

/// A way out of a block and how often it was taken.
struct Exit {
  Decoded* next = nullptr;  ///< first of the block that follows; null until the way is gone
  uint64_t count = 0;
};

/// What an instruction that goes on in line has in the place of ways out.
struct Inside {
  VectorOp* vector = nullptr;
  uint16_t slack = 0;  ///< of a load: cycles that its result may be late without a stall
};

/// A decoded instruction. 64 bytes: one line of the host's cache.
struct Decoded {
  Handler run = nullptr;
  int64_t imm = 0;
  uint8_t rd = 0, rs1 = 0, rs2 = 0, rs3 = 0;  ///< rd 32: x0, written and never read
  uint16_t row = 0;                           ///< of the Isa
  uint8_t length = 4;                         ///< bytes
  uint8_t rm = 0;
  uint16_t at = 0;     ///< cycle of issue, from that of the block's first
  uint16_t after = 0;  ///< cycle of issue of what follows in line; of a way out: [at] of the target
  uint32_t pc = 0;
  union {
    std::array<Exit, 2> exit;  ///< [0] in line, [1] taken
    Inside in;
  };
  Decoded() : exit{} {}
};
static_assert(sizeof(Decoded) == 64);

/// Causes as mcause and the report registers have them.
enum class Cause : uint8_t {
  kFetch = 1,
  kIllegal = 2,
  kBreakpoint = 3,
  kLoadMisaligned = 4,
  kLoadFault = 5,
  kStoreMisaligned = 6,
  kStoreFault = 7,
  kCall = 11,  ///< ecall: the kernel's return, or a request to the environment
  kWatchdog = 24,
  kLater = 255  ///< a device is not ready: go on at Stop::pc, nothing of it has been executed
};

/// Why and where the core stopped.
struct Stop {
  Cause cause = Cause::kCall;
  uint32_t pc = 0;
  uint32_t word = 0;     ///< the instruction
  uint64_t address = 0;  ///< of the access that was refused
  uint64_t vstart = 0;   ///< its element
};

/// Where cycles go. Their sum is the cycles that passed.
enum class Stall : uint8_t {
  kRun,           ///< an instruction was issued
  kLoadUse,       ///< a scalar instruction waited for a load
  kBranch,        ///< refetch after a taken branch or jump
  kDivide,        ///< scalar divider, multiplier, float unit
  kFar,           ///< a scalar load from SRAM, DRAM or a device, beyond what TCM takes
  kVectorQueue,   ///< the queue to the vector unit was full
  kVectorResult,  ///< a scalar result of the vector unit, a fence, the end
  kBank,          ///< of these three, what accesses have lost to other ports of the SRAM
  kDevice,        ///< a device that was not ready
  kCount
};
using Stalls = std::array<uint64_t, static_cast<size_t>(Stall::kCount)>;

/// What the instruction at a pc has done. Its cycles are the sum of `stalls`: kRun are those in
/// which it was issued, the others those that the core stood before it (refetches: after it).
struct PcProfile {
  uint64_t executed = 0;
  Stalls stalls{};
  uint64_t beats = 0;     ///< cycles that its sequencer of the vector unit was busy with it
  uint64_t elements = 0;  ///< of a vector instruction
};

/// Control and status registers of the core's owner, looked at before the DSP's own: machine mode
/// where traps have handlers.
class OwnRegisters {
 public:
  enum class Answer : uint8_t {
    kOthers,  ///< not its own: the DSP's
    kDone,
    kIllegal,  ///< there is no such register, or it is read-only
    kLook      ///< written; the core stops after the instruction, and its owner looks
  };
  virtual ~OwnRegisters() = default;
  virtual Answer read(unsigned number, uint64_t cycle, uint64_t& value) = 0;
  virtual Answer write(unsigned number, uint64_t cycle, uint64_t value) = 0;
};

struct Hart {
  std::array<uint64_t, 33> x{};  ///< x[32] takes what is written to x0
  std::array<uint32_t, 32> f{};
  uint8_t* v = nullptr;  ///< 32 registers of vlenb bytes
  uint64_t vl = 0;
  uint64_t vstart = 0;
  Vtype vtype;
  uint8_t vxrm = 0, vxsat = 0, frm = 0, fflags = 0;

  bool timed = true;              ///< false: vector instructions take no time
  uint64_t cycle = 0;             ///< when the running block's first instruction issued
  uint64_t limit = ~uint64_t{0};  ///< watchdog
  Stalls stalls{};                ///< by Stall: those that a block's schedule does not know
  /// The same by pc, with beats and elements; null: not recorded.
  std::unordered_map<uint32_t, PcProfile>* late = nullptr;
  uint64_t sram_read = 0, sram_written = 0;  ///< bytes, of scalar accesses
  Config config;
  Memory memory;
  VectorUnit unit;
  Blocks* blocks = nullptr;
  OwnRegisters* own = nullptr;  ///< null: traps end the run
  Stop stop;

  // What vector instructions use while they run: a register group each.
  static constexpr size_t kGroupBytes = 1024;
  alignas(64) std::array<uint8_t, kGroupBytes> result, operand2, operand1, operand0;
  alignas(64) std::array<uint8_t, kGroupBytes + 8> active;
};

/// Ends the run at `op`, which is not executed.
Decoded* trap(Hart& hart, Decoded* op, Cause cause, uint64_t address);
/// The core stops as at its limit: `op` is the next instruction.
Decoded* stop_before(Hart& hart, Decoded* op);
/// Goes to the block at `pc`, found or decoded; remembers it in the exit.
Decoded* enter(Hart& hart, Decoded* from, Exit& exit, uint64_t pc);

/// The core stands still before the instruction at `pc`.
inline void charge(Hart& hart, uint32_t pc, Stall cause, uint64_t cycles) {
  hart.cycle += cycles;
  hart.stalls[static_cast<size_t>(cause)] += cycles;
  if (__builtin_expect(hart.late != nullptr, 0) && cycles != 0)
    (*hart.late)[pc].stalls[static_cast<size_t>(cause)] += cycles;
}

/// The same for the vector unit; what SRAM banks have lost comes first.
inline void stall(Hart& hart, uint32_t pc, Stall cause, uint64_t cycles) {
  const uint64_t bank = hart.unit.charge_lost(cycles);
  charge(hart, pc, Stall::kBank, bank);
  charge(hart, pc, cause, cycles - bank);
}

inline uint64_t cycle_of(const Hart& hart, const Decoded& op) {
  return hart.cycle + op.at;
}

}  // namespace presil::dsp
