// AW, W and B of an AXI4 write master of a Verilated block, ids = channels of the DMA, on the
// crossbar: an address is granted when the crossbar says, beats go as the block sends them, the
// last one starts the burst's way to the slave.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "models/noc/crossbar.h"

namespace presil::rtl {

/// Those bytes of a word of 16 whose strobe is 1.
void write_strobed(uint8_t* word, const uint8_t* bytes, unsigned strobes);

class WriteBridge {
 public:
  static constexpr unsigned kBeatBytes = 16;

  struct Answer {
    Cycle at;
    uint8_t id;
    bool error;
  };
  /// The crossbar has taken an address.
  using Granted = std::function<void(uint8_t id, bool error)>;

  WriteBridge(const NocConfig& config, noc::Crossbar& crossbar, BytePort& memory, Granted granted)
      : m_way(config.cycles_request + config.cycles_response),
        m_crossbar(crossbar),
        m_memory(memory),
        m_granted(std::move(granted)) {}
  WriteBridge(const WriteBridge&) = delete;
  WriteBridge& operator=(const WriteBridge&) = delete;

  // ---- AW. One that is shown is asked for once.
  bool asked() const { return m_offered.has_value(); }
  /// @param burst `at`: now; `master`: the channel's queue
  void ask(uint8_t id, const Burst& burst);
  bool address_ready(Cycle cycle) const { return m_offered && cycle >= m_offered->times.aw; }
  void address_taken();

  // ---- W, in the order of AW
  bool data_ready(Cycle cycle) const {
    return !m_written.empty() && cycle >= m_written.front().times.w_first;
  }
  /// @return address of the beat's word
  uint64_t beat(const uint8_t* bytes, unsigned strobes);
  /// The last beat of a burst goes in cycle `now`, the kernel's; beat() follows.
  void last_beat(Cycle now);
  /// Of the burst whose beats come.
  uint8_t id() const { return m_written.front().id; }

  // ---- B
  const Answer* answer(Cycle cycle) const {
    return !m_answers.empty() && cycle >= m_answers.front().at ? &m_answers.front() : nullptr;
  }
  void answer_taken() { m_answers.pop_front(); }

  size_t outstanding() const { return m_offered.has_value() + m_written.size() + m_answers.size(); }

 private:
  struct Written {
    uint8_t id;
    Burst burst;
    noc::WriteTimes times;
    unsigned sent = 0;
  };
  Cycle m_way;  // there and back
  noc::Crossbar& m_crossbar;
  BytePort& m_memory;
  Granted m_granted;
  std::optional<Written> m_offered;  // times.aw: kNever until it is granted
  std::deque<Written> m_written;
  std::deque<Answer> m_answers;  // by time: W bursts leave one after another
};

}  // namespace presil::rtl
