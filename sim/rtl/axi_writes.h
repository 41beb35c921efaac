// An AXI4 write master of a Verilated block, with one id, on a BurstPort: an address that the block
// puts out is a request, taken when the crossbar grants it; beats are taken from the cycle on in
// which the W port is free; B comes with the answer, or as much later as the block sends slowly.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "models/common/ports.h"

namespace presil::rtl {

class AxiWrites {
 public:
  static constexpr unsigned kBeatBytes = 16;

  /// @param way cycles of the last beat to the slave, and of its answer back
  /// @param wake called when an address has been granted
  AxiWrites(BurstPort& port, BytePort& memory, uint8_t master, Cycle way,
            std::function<void()> wake);
  AxiWrites(const AxiWrites&) = delete;
  AxiWrites& operator=(const AxiWrites&) = delete;

  // ---- AW: asked for once, taken in the cycle of its grant.
  bool asked() const { return m_offered.has_value(); }
  void ask(Cycle now, uint64_t address, unsigned beats);
  bool address_ready() const { return m_offered && m_offered->granted; }
  void address_taken();
  // ---- W, in the order of AW.
  bool data_ready(Cycle cycle) const {
    return !m_bursts.empty() && cycle >= m_bursts.front().first;
  }
  void beat(Cycle cycle, const uint8_t* bytes, uint16_t strobes);
  // ---- B, in the same order.
  bool answered(Cycle cycle) const { return !m_answers.empty() && cycle >= m_answers.front().at; }
  /// AXI response: 0 OKAY, 2 SLVERR, 3 DECERR
  uint8_t resp() const { return m_answers.front().resp; }
  void answer_taken() { m_answers.pop_front(); }

  unsigned outstanding() const {
    return static_cast<unsigned>(m_offered.has_value() + m_bursts.size() + m_answers.size());
  }

 private:
  struct Burst {
    uint64_t address;
    unsigned beats, done = 0;
    bool granted = false;
    Cycle first = 0, b = 0;  // when W may begin; when B is there if it goes on without a pause
    uint8_t resp = 0;
  };
  struct Answer {
    Cycle at;
    uint8_t resp;
  };
  BurstPort& m_port;
  BytePort& m_memory;
  uint8_t m_master;
  Cycle m_way;
  std::function<void()> m_wake;
  std::optional<Burst> m_offered;
  std::deque<Burst> m_bursts;
  std::deque<Answer> m_answers;
};

}  // namespace presil::rtl
