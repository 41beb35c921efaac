// Random programs for the comparison with qemu: reset, a body of random instructions, dump.
#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "models/dsp/dsp_config.h"

namespace presil::dsp {

using Random = std::mt19937_64;

/// A few halfwords that belong together: one instruction, or one with what prepares its operands.
using Unit = std::vector<uint16_t>;

struct Program {
  uint64_t seed = 0;  ///< of registers and memory
  std::vector<Unit> body;
};

/// Instructions of the scalar core: RV64IMFC Zba Zbb.
Program random_scalar_program(Random& random);

/// Instructions of the vector unit, at random vtypes; `name` not empty: of these rows only.
Program random_vector_program(Random& random, const Config& config, const std::string& name = "");

std::string to_text(const Program& program);
/// Names of the instructions in it.
void add_names(const Program& program, std::set<std::string>& names);

/// Where a program's state lies in what it writes.
struct Dump {
  static constexpr unsigned kMemory = 4096;
  static constexpr unsigned kX = 0, kF = 256, kCsr = kF + 128, kV = kCsr + 32;
  static unsigned bytes(unsigned vlen) { return kV + 4 * vlen + kMemory; }
  static unsigned memory(unsigned vlen) { return kV + 4 * vlen; }
  /// "x10", "v3 byte 4", "memory byte 17"
  static std::string name_of(unsigned offset, unsigned vlen);
};

/// Many programs in one file, each writes Dump::bytes to descriptor 1.
struct Linked {
  static constexpr uint64_t kCode = 0x10000, kData = 0x8000000;
  std::vector<uint8_t> code, data;
};
Linked link(const std::vector<Program>& programs, unsigned vlen, bool vectors);

}  // namespace presil::dsp
