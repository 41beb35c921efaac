// The engine as a device under test in its world: a memory with ring and stream, the tile's SRAM
// whose banks others take, and sync. Two of them, the model and the RTL: the same jobs, the same
// signals from outside, what they did is compared.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/common/timeline.h"
#include "pool_core.h"

namespace presil::pool::bench {

inline constexpr uint64_t kMemoryBase = 0x80000000;
inline constexpr size_t kMemoryBytes = 1 << 18;
inline constexpr unsigned kBanks = 16;
inline constexpr uint8_t kQueue = 0, kOther = 3;  // links to sync: the engine's, another one's

/// Other masters of the SRAM: each bank is taken in `taken` of 256 cycles, each by itself.
struct Others {
  unsigned taken = 0;
  bool known = false;  ///< the model knows which bank is taken in which cycle, not the share alone
  bool takes(Cycle cycle, unsigned bank) const {
    uint64_t h = (static_cast<uint64_t>(cycle) * kBanks + bank + 1) * 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9ull;
    return (h >> 40 & 255) < taken;
  }
};

struct Ended {
  uint32_t index = 0, tag = 0;
  Cycle end = 0;
};

class Dut {
 public:
  Dut() : memory(kMemoryBytes), sram(Parameters().sram_bytes) {}
  virtual ~Dut() = default;

  /// One cycle.
  virtual void step() = 0;
  virtual Cycle now() const = 0;
  /// Acts two cycles after the next one. One at a time.
  virtual void write(uint32_t offset, uint32_t value) = 0;
  virtual uint32_t read(uint32_t offset) = 0;
  virtual bool irq() const = 0;
  /// Another engine signals.
  virtual void signal(Cycle when, uint8_t id, uint16_t add) = 0;
  virtual uint32_t counter(uint8_t id) const = 0;

  std::vector<uint8_t> memory, sram;
  std::vector<Ended> ended;
};

std::unique_ptr<Dut> make_model(const Others& others);
/// `seed` is that of what reset leaves alone.
std::unique_ptr<Dut> make_rtl(const Others& others, uint32_t seed);

}  // namespace presil::pool::bench
