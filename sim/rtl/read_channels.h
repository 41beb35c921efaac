// The R side of an AXI4 read master of a Verilated block with several ids: bursts of one id are
// answered in the order in which they were asked for, those of different ids as they come; beats of
// a burst follow each other. AR is always ready.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include "models/common/ports.h"

namespace presil::rtl {

class ReadChannels {
 public:
  static constexpr unsigned kIds = 8, kBeatBytes = 16;

  struct Beat {
    uint32_t data[4] = {};
    uint8_t id = 0;
    uint8_t resp = 0;  ///< 0 OKAY, 2 SLVERR (the burst failed), 3 DECERR (no memory there)
    bool last = false;
  };
  /// The times of a burst are known: its turn has come.
  using Known = std::function<void(uint8_t id, const BurstTimes& times)>;
  /// A burst has come whole, without error.
  using Whole =
      std::function<void(uint8_t id, uint64_t address, const uint8_t* bytes, unsigned count)>;

  ReadChannels(BytePort& memory, Known known, Whole whole)
      : m_memory(memory), m_known(std::move(known)), m_whole(std::move(whole)) {}
  ReadChannels(const ReadChannels&) = delete;
  ReadChannels& operator=(const ReadChannels&) = delete;

  /// AR. @return what to answer it by
  uint64_t asked(uint8_t id, uint64_t address, unsigned beats);
  void answered(uint8_t id, uint64_t number, const BurstTimes& times);

  /// The beat at the block in this cycle, nullptr: none; it stays there until taken().
  const Beat* beat(Cycle cycle);
  void taken();
  /// The first cycle after all that is on its way, where the beat of `cycle` is not taken.
  Cycle free_after(Cycle cycle) const;
  unsigned outstanding() const { return m_outstanding; }

 private:
  struct Burst {
    uint64_t address;
    unsigned beats;
    bool answered = false;
    BurstTimes times;
  };
  struct Coming {
    Cycle at;
    uint64_t address, burst;  // of the beat, and of the first one
    unsigned beats;           // of the burst
    uint8_t id;
    bool last, error;
  };
  void play(uint8_t id, const Burst& burst);

  BytePort& m_memory;
  Known m_known;
  Whole m_whole;
  std::array<std::deque<Burst>, kIds> m_bursts;  // oldest first
  std::array<uint64_t, kIds> m_first{};          // number of the oldest
  std::deque<Coming> m_coming;
  bool m_filled = false;  // m_beat is the first of m_coming
  Beat m_beat;
  unsigned m_outstanding = 0;
};

}  // namespace presil::rtl
