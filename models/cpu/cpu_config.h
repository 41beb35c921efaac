// What a core is: architecture, options and cycles. Read from a file of cores/, one for each core.
#pragma once

#include <cstdint>
#include <string>

namespace presil::cpu {

enum class Architecture : uint8_t { kArmv7em, kArmv8m };
enum class Fpu : uint8_t { kNone, kFpv4, kFpv5 };  ///< single precision

/// Cycles, each a line of the core's file.
struct Timing {
  unsigned alu = 1, multiply = 1, multiply_long = 1;
  unsigned divide_least = 2, divide_most = 12;
  unsigned load = 2;             ///< a single load
  unsigned load_after_load = 1;  ///< one that follows a load or store: address phase overlapped
  unsigned load_to_use = 0;      ///< wait of an instruction that reads what the one before loaded
  unsigned store = 1;
  unsigned multiple_first = 1;  ///< LDM, STM, LDRD, PUSH: this, and one for each register
  unsigned branch_not_taken = 1;
  unsigned branch_refill = 2;   ///< P of the manuals: what a taken branch adds to its cycle
  unsigned load_pc_refill = 3;  ///< the same where the target is loaded
  unsigned table_branch = 2;    ///< TBB, TBH without the refill
  unsigned it = 1;              ///< 0: folded into the instruction before
  unsigned barrier = 1;
  unsigned special = 2;  ///< MRS, MSR
  unsigned float_alu = 1, float_multiply_add = 3, float_divide = 14, float_root = 14;
  unsigned float_load = 2, float_move_pair = 2;
  unsigned float_to_use = 1;  ///< wait of an instruction that reads the float result before it
  unsigned unaligned = 1;     ///< added to an access that is not aligned
  bool dual_issue = false;    ///< two 16-bit instructions that do not depend, one not memory's
  unsigned exception_entry = 12, exception_return = 10, tail_chain = 6;
};

struct Config {
  std::string name = "cortex_m33";
  Architecture architecture = Architecture::kArmv8m;
  Fpu fpu = Fpu::kFpv5;
  bool dsp = true;
  uint32_t cpuid = 0x410fd213;
  unsigned interrupts = 32;    ///< external, 1 to 480
  unsigned priority_bits = 3;  ///< implemented, 3 to 8
  unsigned mpu_regions = 8;    ///< 0: no MPU
  Timing timing;

  bool v8() const { return architecture == Architecture::kArmv8m; }
};

/// Reads a core's file.
/// @throws Refusal that names the file, the key, its value, what is required
Config read_config(const std::string& file);
/// The same of a text; `file` is its name in refusals.
Config parse_config(const std::string& text, const std::string& file);

}  // namespace presil::cpu
