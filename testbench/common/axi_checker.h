// Protocol of AXI4 masters and slaves as presil uses it: INCR bursts of 16-byte beats, at most 256
// bytes, never across a boundary of 256. A checker looks at the signals of each cycle before the
// clock edge and names every rule that is broken; it neither drives nor waits.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "testbench/common/violations.h"

namespace presil::testbench {

/// AR or AW.
struct AxiAddress {
  bool valid = false, ready = false;
  uint16_t id = 0;
  uint64_t address = 0;
  uint8_t len = 0;  ///< beats - 1
};
struct AxiReadData {
  bool valid = false, ready = false;
  uint16_t id = 0;
  std::array<uint32_t, 4> data{};
  uint8_t resp = 0;
  bool last = false;
};
struct AxiWriteData {
  bool valid = false, ready = false;
  std::array<uint32_t, 4> data{};
  uint16_t strobes = 0;
  bool last = false;
};
struct AxiResponse {
  bool valid = false, ready = false;
  uint16_t id = 0;
  uint8_t resp = 0;
};

/// Rules of one address: of its burst and of how it is offered.
class AxiAddressChecker {
 public:
  AxiAddressChecker(const std::string& name, Violations& violations)
      : m_name(name), m_violations(violations), m_stream(name, violations) {}

  /// @return whether the address is taken
  bool cycle(const AxiAddress& a, bool in_reset) {
    if (in_reset) m_violations.unless(!a.valid, m_name + " is valid in reset");
    const bool taken = m_stream.cycle(a.valid, a.ready, {a.id, a.address, a.len}, in_reset);
    if (taken) {
      const uint64_t first = a.address & ~uint64_t{15}, last = first + 16 * a.len;
      m_violations.unless(first >> 8 == last >> 8, m_name + " crosses 256 bytes");
      m_violations.unless(a.address >> 40 == 0, m_name + " has more than 40 bits");
    }
    return taken;
  }

 private:
  std::string m_name;
  Violations& m_violations;
  StreamChecker<std::array<uint64_t, 3>> m_stream;
};

class AxiReadChecker {
 public:
  /// `interleaved`: beats of bursts of different ids may come in turn.
  explicit AxiReadChecker(bool interleaved = false) : m_interleaved(interleaved) {}

  void cycle(const AxiAddress& ar, const AxiReadData& r, bool in_reset = false) {
    m_violations.next_cycle();
    if (in_reset) m_violations.unless(!r.valid, "R is valid in reset");
    const bool asked = m_ar.cycle(ar, in_reset);
    const bool beat = m_r.cycle(r.valid, r.ready, payload(r), in_reset);
    if (in_reset) m_left.clear(), m_within.clear();
    if (r.valid && !in_reset) {  // what is asked in this cycle is not yet answered in it
      m_violations.unless(!m_left[r.id].empty(),
                          "R of id " + std::to_string(r.id) + " without an AR");
      m_violations.unless(r.resp != 1, "R answers EXOKAY");
    }
    if (beat && !m_left[r.id].empty()) take(r);
    if (asked) m_left[ar.id].push_back(ar.len + 1u);
  }
  /// Every burst has had its last beat.
  bool idle() const {
    for (const auto& [id, bursts] : m_left) {
      if (!bursts.empty()) return false;
    }
    return true;
  }
  const Violations& violations() const { return m_violations; }

 private:
  static std::array<uint32_t, 7> payload(const AxiReadData& r) {
    return {r.id, r.data[0], r.data[1], r.data[2], r.data[3], r.resp, r.last};
  }
  void take(const AxiReadData& r) {
    if (!m_interleaved && !m_within.empty()) {
      m_violations.unless(m_within.count(r.id) != 0, "R of another id within a burst");
    }
    auto& bursts = m_left[r.id];
    const bool last = --bursts.front() == 0;
    m_violations.unless(last || !r.last, "RLAST before the last beat");
    m_violations.unless(!last || r.last, "no RLAST with the last beat");
    if (last) {
      bursts.pop_front();
      m_within.erase(r.id);
    } else {
      m_within[r.id] = true;
    }
  }

  bool m_interleaved;
  Violations m_violations;
  AxiAddressChecker m_ar{"AR", m_violations};
  StreamChecker<std::array<uint32_t, 7>> m_r{"R", m_violations};
  std::map<uint16_t, std::deque<unsigned>> m_left;  // by id: beats to come, burst by burst
  std::map<uint16_t, bool> m_within;                // ids of bursts that have begun
};

class AxiWriteChecker {
 public:
  void cycle(const AxiAddress& aw, const AxiWriteData& w, const AxiResponse& b,
             bool in_reset = false) {
    m_violations.next_cycle();
    if (in_reset) {
      m_violations.unless(!w.valid, "W is valid in reset");
      m_violations.unless(!b.valid, "B is valid in reset");
    }
    const bool asked = m_aw.cycle(aw, in_reset);
    const bool beat =
        m_w.cycle(w.valid, w.ready, {w.data[0], w.data[1], w.data[2], w.data[3], w.strobes, w.last},
                  in_reset);
    const bool answered = m_b.cycle(b.valid, b.ready, {b.id, b.resp}, in_reset);
    if (in_reset) {
      m_addresses.clear(), m_data.clear(), m_answers.clear();
      m_beats = 0;
      return;
    }
    if (b.valid) {  // a burst whose last beat comes in this cycle is not yet answered in it
      m_violations.unless(m_answers[b.id] != 0,
                          "B of id " + std::to_string(b.id) + " before its AW and last W");
      m_violations.unless(b.resp != 1, "B answers EXOKAY");
    }
    if (answered && m_answers[b.id] != 0) --m_answers[b.id];
    if (asked) m_addresses.push_back(aw);
    if (beat) take(w);
    while (!m_addresses.empty() && !m_data.empty()) {
      const unsigned expected = m_addresses.front().len + 1u;
      m_violations.unless(m_data.front() >= expected, "WLAST before the last beat");
      m_violations.unless(m_data.front() <= expected, "no WLAST with the last beat");
      ++m_answers[m_addresses.front().id];
      m_addresses.pop_front();
      m_data.pop_front();
    }
  }
  /// Every burst has been answered.
  bool idle() const {
    for (const auto& [id, answers] : m_answers) {
      if (answers != 0) return false;
    }
    return m_addresses.empty() && m_data.empty() && m_beats == 0;
  }
  const Violations& violations() const { return m_violations; }

 private:
  // W follows the order of AW, and may come before it: lengths are compared once both are known.
  void take(const AxiWriteData& w) {
    m_violations.unless(++m_beats <= 16, "W of more than 16 beats");
    if (!w.last) return;
    m_data.push_back(m_beats);
    m_beats = 0;
  }

  Violations m_violations;
  AxiAddressChecker m_aw{"AW", m_violations};
  StreamChecker<std::array<uint32_t, 6>> m_w{"W", m_violations};
  StreamChecker<std::array<uint32_t, 2>> m_b{"B", m_violations};
  std::deque<AxiAddress> m_addresses;      // without their data
  std::deque<unsigned> m_data;             // beats of bursts whose address has not come
  unsigned m_beats = 0;                    // of the burst that is coming
  std::map<uint16_t, unsigned> m_answers;  // by id: bursts to be answered
};

}  // namespace presil::testbench
