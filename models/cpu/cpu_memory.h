// Memory as the core sees it: regions of host bytes with rights and wait states, and devices, which
// are called in the core's cycle. The owner of the bytes stands outside.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "models/base/watched_reads.h"

namespace presil::cpu {

enum Right : uint8_t { kRead = 1, kWrite = 2, kExecute = 4 };

/// Registers: accesses of 1, 2, 4 bytes in the core's cycle `cycle`.
class Device {
 public:
  enum class Answer : uint8_t {
    kDone,
    kRefused,  ///< the core takes a BusFault
    kLater     ///< the core stops before the access, which has had no effect
  };
  virtual ~Device() = default;
  virtual Answer load(uint32_t address, unsigned bytes, uint64_t cycle, uint32_t& value) = 0;
  virtual Answer store(uint32_t address, unsigned bytes, uint64_t cycle, uint32_t value) = 0;
  /// A word for a debugger, without time. @return false: nothing is there
  virtual bool peek(uint32_t /*address*/, bool /*write*/, uint32_t& /*value*/) { return false; }
};

struct Region {
  uint32_t base = 0;
  uint32_t bytes = 0;
  uint8_t* host = nullptr;  ///< the byte at `base`; null for a device
  uint8_t rights = 0;       ///< of Right
  uint8_t wait_data = 0;    ///< wait states of a load or store
  uint8_t wait_fetch = 0;   ///< wait states of a line of instructions
  uint8_t line_bytes = 16;  ///< of the buffer that instructions are fetched to
  Device* device = nullptr;
};

/// What else may refuse an access: the MPU.
class Protection {
 public:
  /// Part of the address space with the same answer.
  struct Extent {
    uint32_t first = 0, last = 0;
    bool allowed = false;
  };
  virtual ~Protection() = default;
  virtual Extent look(uint32_t address, Right right, bool privileged) const = 0;
};

class Memory {
 public:
  /// The region that held the last access to a part of the address space.
  struct Hit {
    uint32_t base = 0;
    uint32_t size = 0;  ///< offsets below it may be accessed with 4 bytes
    uint8_t* host = nullptr;
    uint32_t wait = 0;
  };
  enum class Refused : uint8_t { kNot, kBus, kMpu };

  /// Regions must not overlap; the first that fits serves.
  /// @throws Refusal where an extent wraps or overlaps another
  void add(const Region& region);
  void clear();
  /// The region at `base` holds other bytes from now on: a window that is moved.
  void move(uint32_t base, uint8_t* host);
  const std::vector<Region>& regions() const { return m_regions; }
  void set_protection(const Protection* protection) { m_protection = protection; }
  /// Rights or the privilege of the program have changed.
  void forget() { m_hits = {}; }
  bool privileged = true;
  /// Loads of the program from these extents are remembered.
  void watch_reads(std::vector<WatchedReads::Extent> extents) {
    m_reads.watch(std::move(extents));
    forget();
  }
  WatchedReads& reads() { return m_reads; }

  /// Host bytes of an extent that lies in one region with this right; null: refused, or a device's.
  uint8_t* at(uint32_t address, uint32_t bytes, Right right) const;
  const Region* find(uint32_t address, uint32_t bytes, Right right) const;
  bool allowed(uint32_t address, uint32_t bytes, Right right, bool as_privileged) const;

  /// The bytes of an access, or null when the slow way must look.
  template <Right right>
  uint8_t* quick(uint32_t address, uint32_t& wait) {
    const Hit& hit = m_hits[right == kWrite][slot(address)];
    const uint32_t offset = address - hit.base;
    if (__builtin_expect(offset >= hit.size, 0)) return nullptr;
    wait = hit.wait;
    return hit.host + offset;
  }
  /// Finds the region and remembers it.
  const Region* look(uint32_t address, unsigned bytes, Right right, Refused& why);

 private:
  // Code, SRAM, external RAM and devices lie in different slots.
  static unsigned slot(uint32_t address) { return (address >> 24 ^ address >> 28) & 15; }

  std::vector<Region> m_regions;
  std::array<std::array<Hit, 16>, 2> m_hits{};
  const Protection* m_protection = nullptr;
  WatchedReads m_reads;
};

}  // namespace presil::cpu
