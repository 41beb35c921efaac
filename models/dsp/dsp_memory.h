// Memory as the core sees it: regions of host bytes with rights, checked for the whole extent of
// every access. The owner of the bytes (TCM, the tile's SRAM, DRAM) stands outside; a device takes
// the accesses that have effects.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/base/watched_reads.h"

namespace presil::dsp {

enum Right : uint8_t { kRead = 1, kWrite = 2, kExecute = 4 };

/// Where a region's bytes are: decides the cycles of an access, not its value.
enum class Space : uint8_t { kTcm, kSram, kDram, kDevice };

/// Registers: scalar accesses of 1, 2, 4, 8 bytes, naturally aligned, in the core's cycle `cycle`.
class Device {
 public:
  enum class Answer : uint8_t {
    kDone,
    kRefused,  ///< the core traps
    kLater     ///< the core stops before the access, which has had no effect
  };
  virtual ~Device() = default;
  virtual Answer load(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t& value) = 0;
  virtual Answer store(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t value) = 0;
  /// A word for a debugger, without time. @return false: nothing is there
  virtual bool peek(uint64_t /*address*/, bool /*write*/, uint32_t& /*value*/) { return false; }
};

struct Region {
  uint64_t base = 0;
  uint64_t bytes = 0;
  uint8_t* host = nullptr;  ///< the byte at `base`; null for a device
  uint8_t rights = 0;       ///< of Right
  Space space = Space::kTcm;
  uint16_t tensor = 0;       ///< for reports
  Device* device = nullptr;  ///< of Space::kDevice
};

class Memory {
 public:
  /// The region that held the last access to a piece of the address space, as a scalar access asks.
  struct Hit {
    uint64_t base = 0;
    uint64_t room = 0;  ///< bytes - 8: offsets up to here may be accessed with up to 8 bytes
    uint8_t* host = nullptr;
    Space space = Space::kTcm;
  };

  /// Regions must not overlap where they have a right in common; the first that fits serves.
  void add(const Region& region);
  void clear();
  const std::vector<Region>& regions() const { return m_regions; }

  /// The host bytes of an extent that lies in one region with this right; null: refused, or a
  /// device's.
  uint8_t* at(uint64_t address, uint64_t bytes, Right right) const {
    const Region* region = find(address, bytes, right);
    if (right == kRead && m_reads.any()) m_reads.loads(address, bytes);
    return region == nullptr || region->host == nullptr ? nullptr
                                                        : region->host + (address - region->base);
  }
  const Region* find(uint64_t address, uint64_t bytes, Right right) const;

  /// Loads of the program from these extents are remembered.
  void watch_reads(std::vector<WatchedReads::Extent> extents) {
    m_reads.watch(std::move(extents));
    m_hits = {};
  }
  WatchedReads& reads() { return m_reads; }
  const WatchedReads& reads() const { return m_reads; }

  /// Scalar accesses: the bytes, or null when the slow way must look. `Hit` says where they are.
  template <class T, Right right>
  uint8_t* quick(uint64_t address, const Hit*& hit) const {
    hit = &m_hits[right == kWrite][slot(address)];
    const uint64_t offset = address - hit->base;
    if (hit->host == nullptr || offset > hit->room || address % sizeof(T) != 0) return nullptr;
    return hit->host + offset;
  }
  /// The slow way: finds the region and remembers it. Null: refused or a device's.
  const Region* look(uint64_t address, unsigned bytes, Right right);

 private:
  // ITCM, DTCM, SRAM, registers and DRAM (bit 39) lie in different slots.
  static unsigned slot(uint64_t address) {
    return (address >> 24 ^ address >> 28 ^ address >> 36) & 15;
  }

  std::vector<Region> m_regions;
  std::array<std::array<Hit, 16>, 2> m_hits;
  WatchedReads m_reads;
};

}  // namespace presil::dsp
