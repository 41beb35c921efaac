// Drives dla_check (rtl/dla) alone: a command's words in, beat by beat, its verdict out.
#pragma once

#include <cstdint>
#include <memory>

namespace presil::dla::bench {

struct Verdict {
  unsigned code = 0, rule = 0, word = 0;
  uint64_t address = 0;
};

class CheckBench {
 public:
  virtual ~CheckBench() = default;
  /// Ten beats of four words, one a cycle; the verdict of the cycle after the last.
  virtual Verdict check(const uint32_t* words, uint32_t sram_base, uint8_t sync_count) = 0;
};

/// SRAM of 1 MiB, accumulators of 128 pixels. @param macs MacsK and MacsC, 16 or 32
std::unique_ptr<CheckBench> make_check_bench(unsigned macs);

}  // namespace presil::dla::bench
