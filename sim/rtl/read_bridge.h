// An AXI4 read master of a Verilated block, with one id, on a BurstPort: an address that the block
// puts out is a request, and the beats come in the cycles of its answer. AR is always ready.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "models/common/ports.h"

namespace presil::rtl {

struct ReadBeat {
  uint32_t data[4] = {};
  uint8_t resp = 0;  ///< 0 OKAY, 2 SLVERR (the burst failed), 3 DECERR (no memory there)
  bool last = false;
};

class ReadBridge {
 public:
  using ReadObserver = std::function<void(uint64_t address, const uint8_t* bytes, unsigned count)>;
  static constexpr unsigned kBeatBytes = 16;

  /// @param wake  called when the times of a burst are known
  /// @param master enum presil_queue
  /// @param read called with address and bytes of a burst that has come without error
  ReadBridge(BurstPort& port, BytePort& memory, uint8_t master, std::function<void()> wake,
             ReadObserver read = {});
  ReadBridge(const ReadBridge&) = delete;
  ReadBridge& operator=(const ReadBridge&) = delete;

  /// AR in cycle `now`, the kernel's.
  void request(Cycle now, uint64_t address, unsigned beats);
  /// The beat at the block in this cycle; it stays there until taken(). The last one is there when
  /// the burst's answer says, those before it one a cycle from its first.
  /// @return false: none
  bool beat(Cycle cycle, ReadBeat& beat);
  void taken();
  unsigned outstanding() const { return static_cast<unsigned>(m_bursts.size()); }

 private:
  struct Burst {
    uint64_t address;
    unsigned beats, done = 0;
    bool answered = false;
    BurstTimes times;
  };
  BurstPort& m_port;
  BytePort& m_memory;
  uint8_t m_master;
  std::function<void()> m_wake;
  ReadObserver m_read;
  std::deque<Burst> m_bursts;  // oldest first; one id: answered in order
  uint64_t m_first = 0;        // running number of m_bursts.front()
};

}  // namespace presil::rtl
