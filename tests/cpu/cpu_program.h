// Random programs for the comparison with qemu: reset, a body of random instructions, dump.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "models/cpu/cpu_config.h"

namespace presil::cpu {

using Random = std::mt19937_64;

/// Halfwords that belong together: an instruction with what prepares its operands.
using Unit = std::vector<uint16_t>;

struct Program {
  uint64_t seed = 0;   ///< of registers and memory
  bool edges = false;  ///< floats are those where rounding, flags and types change
  std::vector<Unit> body;
};

struct Row;
/// How often each row of the table was written into a program.
using Uses = std::map<const Row*, unsigned>;

/// Instructions that `config` has; those of the table come in turn, half of them at random.
class Programs {
 public:
  /// @param floats true: instructions on floats only, operands at their edges
  explicit Programs(const Config& config, bool floats = false);
  Program next(Random& random);
  const Uses& uses() const { return m_uses; }

 private:
  Unit unit(Random& random);
  Config m_config;
  bool m_floats;
  Uses m_uses;
  std::vector<const Row*> m_rows;
  size_t m_turn = 0;
};

std::string to_text(const Program& program);

/// What a program writes: registers and then memory.
struct Dump {
  static constexpr unsigned kS = 0, kApsr = 128, kFpscr = 132, kR = 136, kRegisters = 192;
  static constexpr unsigned kMemory = 6144, kBytes = kRegisters + kMemory;
  /// "r10", "s3", "memory byte 17"
  static std::string name_of(unsigned offset);
};

/// Many programs in one file; each writes Dump::kBytes to descriptor 1.
struct Linked {
  static constexpr uint32_t kCode = 0x10000, kData = 0x20000000, kStates = 0x21000000;
  static constexpr uint32_t kDataBytes = 8192, kStack = kData + 7168, kBase = kData + 1024;
  uint32_t entry = 0;
  std::vector<uint8_t> code, data, states;
};
Linked link(const std::vector<Program>& programs);

}  // namespace presil::cpu
