// Random programs for the comparison with qemu: reset, a body of random instructions, dump.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "models/dsp/dsp_config.h"
#include "tests/dsp/dsp_coverage.h"

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

/// Instructions of the vector unit, at random vtypes. Half of them are random; the others come
/// round: under each vtype every instruction with and without mask, before any of them comes again.
class VectorPrograms {
 public:
  /// @param name not empty: rows of which it is a part only
  explicit VectorPrograms(std::string name = "") : m_name(std::move(name)) {}
  Program next(Random& random, const Config& config);

 private:
  std::string m_name;
  std::map<std::pair<unsigned, int>, std::vector<Use>> m_left;  // by SEW and LMUL
};

std::string to_text(const Program& program);

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
