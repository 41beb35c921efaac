// How a model sees the world: it asks for a burst and learns when each beat comes; it asks when a
// counter reaches a value; it reads and writes bytes. The same model code runs free, in the
// compiler's cost queries, or as the shadow of RTL, on other implementations of these ports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "models/soc/soc_config.h"

namespace presil {

/// One AXI burst: at most 256 B, never across a 256 B boundary.
struct Burst {
  Cycle at = 0;          ///< AR (or last W beat) leaves the master; not before now
  uint64_t address = 0;  ///< 40-bit system address
  uint32_t bytes = 0;
  bool write = false;
  uint8_t master = 0;   ///< enum presil_queue of the requester: arbitration and statistics
  uint16_t cycles = 0;  ///< the master takes the beats of a read in no fewer cycles than this
  uint8_t tail = 0;     ///< of them, those that come after its last beat
};

/// When the beats of a burst are at the master. `first` .. `last` are cycles; a write's are both B.
struct BurstTimes {
  Cycle first = 0;
  Cycle last = 0;
  bool error = false;  ///< SLVERR / DECERR
  // Cycles of the way: refresh, busy, row, turnaround and own are disjoint. Less than 2^31 of each.
  int32_t refresh = 0;     ///< after a refresh of the DRAM
  int32_t busy = 0;        ///< after bursts of other masters
  int32_t row = 0;         ///< for rows of the DRAM to be closed and opened
  int32_t turnaround = 0;  ///< and between its reads and writes
  int32_t own = 0;         ///< after bursts of its own master, on the DRAM's data bus
  int32_t port = 0;        ///< in busy: after other beats on the way back, not in the DRAM
  int32_t bus = 0;         ///< not of the way: its atoms at the DRAM's peak, of all channels
  // Of the DMA's data alone.
  uint32_t booking = 0;  ///< of its words at the SRAM's write port (noc::Fabric::gone)
  int32_t gone = 1;      ///< cycles from `last` until their last one leaves the stream, as booked
};

class BurstPort {
 public:
  virtual ~BurstPort() = default;
  /// `done` is called once, no later than the cycle `first`, with times that are then fixed.
  virtual void request(const Burst& burst, std::function<void(const BurstTimes&)> done) = 0;
};

/// Timeline counters of the tile (rtl/sync/README.md). Ids and values are absolute.
class CounterPort {
 public:
  virtual ~CounterPort() = default;
  /// @return whether int32(counter - value) >= 0 now
  virtual bool met(uint8_t id, uint32_t value) const = 0;
  /// Calls `then(cycle)` at the cycle in which `met` rises (now, if it holds already).
  /// @param port which of the queue's wait ports asks, for the hang report
  virtual void when_met(uint8_t queue, uint8_t port, uint8_t id, uint32_t value,
                        std::function<void(Cycle)> then) = 0;
  /// The port no longer asks (abort): what it asked for will not be answered.
  virtual void withdraw(uint8_t /*queue*/, uint8_t /*port*/) {}
  /// The engine completes at `when` >= now; counters show it cycles_complete_to_met (2) later.
  virtual void signal(Cycle when, uint8_t id, uint16_t add) = 0;
};

/// Bytes of SRAM or of the system address space. Values never depend on time.
class BytePort {
 public:
  virtual ~BytePort() = default;
  /// A pointer to `bytes` bytes at `address`, or nullptr where there is no memory.
  virtual uint8_t* bytes_at(uint64_t address, size_t bytes) = 0;
  /// A requester has read them. @return the first address whose error ECC cannot correct; nothing:
  /// all are right
  virtual std::optional<uint64_t> read(uint64_t /*address*/, uint64_t /*bytes*/) { return {}; }
  /// A requester has written them: errors of words that it has written whole are gone.
  virtual void written(uint64_t /*address*/, uint64_t /*bytes*/) {}
};

}  // namespace presil
