// A core with code, data and a few lines to run one program on it.
#pragma once

#include <cstring>
#include <vector>

#include "models/dsp/dsp_core.h"
#include "tests/dsp/dsp_assembler.h"

namespace presil::dsp {

struct Machine {
  static constexpr uint64_t kCode = 0x10000000, kData = 0x11000000, kSram = 0x20000000;
  Core core;
  std::vector<uint8_t> code = std::vector<uint8_t>(8192), data = std::vector<uint8_t>(8192),
                       sram = std::vector<uint8_t>(4096);

  explicit Machine(const Config& config = {}) : core(config) {
    core.memory().add({kCode, code.size(), code.data(), kRead | kExecute, Space::kTcm, 0, nullptr});
    core.memory().add({kData, data.size(), data.data(), kRead | kWrite, Space::kTcm, 0, nullptr});
    core.memory().add({kSram, sram.size(), sram.data(), kRead | kWrite, Space::kSram, 0, nullptr});
    core.reset();
    core.hart().x[10] = kData;
    core.hart().x[11] = kSram;
  }
  /// Runs what the assembler has, an ecall after it.
  const Stop& run(Assembler& a) {
    a("ecall", {});
    std::memcpy(code.data(), a.bytes().data(), a.bytes().size());
    core.forget_instructions();
    return core.run(kCode);
  }
  uint64_t x(unsigned n) const { return core.hart().x[n]; }
};

/// vtype: SEW in bits, log2 of LMUL
inline int64_t vtype(unsigned sew, int lmul_log2) {
  return static_cast<int64_t>((31 - __builtin_clz(sew) - 3) << 3 | (lmul_log2 & 7));
}

}  // namespace presil::dsp
