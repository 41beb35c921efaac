// The far end of an AXI4 read master with one id: bursts answered in order from a memory, with
// random latency, gaps between beats and errors. The test moves the signals.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <optional>
#include <random>

namespace presil::testbench {

class ReadResponder {
 public:
  struct Pace {
    unsigned latency_min = 1, latency_max = 20;  ///< cycles from AR to the first beat, at least
    unsigned gap = 1;                            ///< a beat is offered in one of `gap` cycles
    unsigned error = 0;                          ///< one of `error` bursts fails; 0: none
  };
  struct Beat {
    std::array<uint32_t, 4> data{};
    uint8_t resp = 0;
    bool last = false;
    uint64_t burst = 0;   ///< address of its burst
    bool failed = false;  ///< some beat of its burst has an error
  };

  ReadResponder(std::function<const uint8_t*(uint64_t)> memory, uint32_t seed)
      : m_memory(std::move(memory)), m_random(seed) {}

  Pace pace;

  /// AR was accepted in `cycle`.
  void accept(int64_t cycle, uint64_t address, unsigned beats) {
    Burst burst{cycle + pace.latency_min, address, beats, beats};
    burst.at += m_random() % (pace.latency_max - pace.latency_min + 1);
    if (pace.error != 0 && m_random() % pace.error == 0) burst.bad_beat = m_random() % beats;
    m_bursts.push_back(burst);
  }

  /// The beat of this cycle, if there is one; the master takes it.
  std::optional<Beat> beat(int64_t cycle) {
    if (m_bursts.empty() || cycle < m_bursts.front().at || m_random() % pace.gap != 0) return {};
    Burst& burst = m_bursts.front();
    Beat beat;
    std::memcpy(beat.data.data(), m_memory(burst.address + 16 * burst.done), 16);
    beat.resp = burst.done == burst.bad_beat ? 2 + m_random() % 2 : 0;
    beat.failed = burst.bad_beat < burst.beats;
    beat.burst = burst.address;
    beat.last = ++burst.done == burst.beats;
    if (beat.last) m_bursts.pop_front();
    return beat;
  }

 private:
  struct Burst {
    int64_t at;
    uint64_t address;
    unsigned beats;
    unsigned bad_beat;  // one past the last: none
    unsigned done = 0;
  };
  std::function<const uint8_t*(uint64_t)> m_memory;
  std::mt19937 m_random;
  std::deque<Burst> m_bursts;
};

}  // namespace presil::testbench
