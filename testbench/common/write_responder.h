// The far end of an AXI4 write master: takes addresses and data with random back-pressure, writes
// the strobed bytes to a memory, and answers each burst after its last beat with random latency and
// errors; answers of one id stay in order. The test moves the signals:
//
//   top.aw_ready = responder.aw_ready(); top.w_ready = responder.w_ready();
//   top.b_* = responder.b(cycle);  eval;  responder.take(cycle, aw, w, b_ready);
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <random>

#include "testbench/common/axi_checker.h"

namespace presil::testbench {

class WriteResponder {
 public:
  struct Pace {
    unsigned latency_min = 1, latency_max = 20;  ///< cycles from the last beat to B
    unsigned take = 1;                           ///< AW and W are ready in one of `take` cycles
    unsigned error = 0;                          ///< one of `error` bursts fails; 0: none
    unsigned outstanding = 16;                   ///< bursts taken and not answered
  };

  /// @param memory 16 bytes at an address that is a multiple of 16
  WriteResponder(std::function<uint8_t*(uint64_t)> memory, uint32_t seed)
      : m_memory(std::move(memory)), m_random(seed) {}

  Pace pace;

  /// Ready of this cycle; asked once a cycle. Data wait for their address.
  bool aw_ready() {
    m_aw_ready = m_bursts.size() + m_answers.size() < pace.outstanding && one_in(pace.take);
    return m_aw_ready;
  }
  bool w_ready() {
    m_w_ready = !m_bursts.empty() && one_in(pace.take);
    return m_w_ready;
  }

  /// The answer of this cycle; it stays until it is taken.
  AxiResponse b(int64_t cycle) {
    if (!m_shown.valid) {
      const auto due = std::find_if(m_answers.begin(), m_answers.end(), [&](const Answer& a) {
        return cycle >= a.at && first_of_its_id(a);
      });
      if (due != m_answers.end()) {
        m_shown.valid = true;
        m_shown.id = due->id;
        m_shown.resp = due->resp;
        m_answers.erase(due);
      }
    }
    return m_shown;
  }

  /// What the master shows in this cycle, before its edge.
  void take(int64_t cycle, const AxiAddress& aw, const AxiWriteData& w, bool b_ready) {
    if (m_shown.valid && b_ready) m_shown = {};
    if (w.valid && m_w_ready) take_beat(cycle, w);
    if (aw.valid && m_aw_ready) m_bursts.push_back({aw.id, aw.address & ~uint64_t{15}});
    m_aw_ready = m_w_ready = false;
  }

  bool idle() const { return m_bursts.empty() && m_answers.empty() && !m_shown.valid; }
  uint64_t bytes_written() const { return s_bytes; }

 private:
  struct Burst {
    uint16_t id;
    uint64_t address;  // of the next beat
  };
  struct Answer {
    int64_t at;
    uint16_t id;
    uint8_t resp;
  };
  bool one_in(unsigned n) { return m_random() % n == 0; }
  bool first_of_its_id(const Answer& answer) const {
    return &answer == &*std::find_if(m_answers.begin(), m_answers.end(),
                                     [&](const Answer& a) { return a.id == answer.id; });
  }
  void take_beat(int64_t cycle, const AxiWriteData& w) {
    Burst& burst = m_bursts.front();
    uint8_t* place = m_memory(burst.address);
    uint8_t bytes[16];
    std::memcpy(bytes, w.data.data(), 16);
    for (unsigned i = 0; i < 16; ++i) {
      if (!(w.strobes >> i & 1)) continue;
      place[i] = bytes[i];
      ++s_bytes;
    }
    burst.address += 16;
    if (!w.last) return;
    const bool fails = pace.error != 0 && one_in(pace.error);
    const auto latency = pace.latency_min + m_random() % (pace.latency_max - pace.latency_min + 1);
    m_answers.push_back({cycle + static_cast<int64_t>(latency), burst.id,
                         static_cast<uint8_t>(fails ? 2 + m_random() % 2 : 0)});
    m_bursts.pop_front();
  }

  std::function<uint8_t*(uint64_t)> m_memory;
  std::mt19937 m_random;
  bool m_aw_ready = false, m_w_ready = false;
  std::deque<Burst> m_bursts;
  std::deque<Answer> m_answers;
  AxiResponse m_shown;
  uint64_t s_bytes = 0;
};

}  // namespace presil::testbench
