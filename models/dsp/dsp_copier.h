// Copies of the DSP: images into the instruction memory, and what programs ask of their own
// channel. One after the other, in rows, cut into bursts of the crossbar where a side is in DRAM.
// Bytes are taken when a copy is started and are there when it ends.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "models/common/ports.h"
#include "models/common/timeline.h"

namespace presil::dsp {

/// Of one side of a copy: where the rows begin.
struct Side {
  bool dram = false;     ///< else SRAM or tightly coupled memory
  uint64_t address = 0;  ///< DRAM: system address of row 0
  int64_t stride = 0;
};

struct Copy {
  uint32_t row_bytes = 0, rows = 0;
  Side from, to;
  std::vector<uint8_t> bytes;         ///< rows * row_bytes, as they were when it was started
  std::vector<uint8_t*> destination;  ///< of each row
};

class Copier {
 public:
  static constexpr unsigned kQueue = 4;  ///< copies under way, the running one among them

  struct Ended {
    Cycle first = 0;  ///< the first bytes arrived
    bool error = false;
    uint64_t address = 0;  ///< to blame
  };

  Copier(Timeline& timeline, BurstPort& port, uint8_t master)
      : m_timeline(timeline), m_port(port), m_master(master) {}

  bool full() const { return m_copies.size() >= kQueue; }
  bool idle() const { return m_copies.empty() && m_outstanding == 0; }
  /// @param at not before now; @param ended called when its bytes are there, or on an error
  void start(Copy copy, Cycle at, std::function<void(const Ended&)> ended);
  /// Nothing more is issued or written, no observer is told. @param drained what is outstanding has
  /// come back; called at once if nothing is
  void drop(std::function<void()> drained);

  uint64_t bytes_read() const { return s_bytes_read; }
  uint64_t bytes_written() const { return s_bytes_written; }
  void reset_statistics() { s_bytes_read = s_bytes_written = 0; }

 private:
  struct Piece {
    uint64_t from = 0, to = 0;  // system addresses, where the side is in DRAM
    uint32_t bytes = 0;
  };
  struct Work {
    Copy copy;
    Cycle at = 0;
    std::function<void(const Ended&)> ended;
    uint32_t row = 0, offset = 0;  // of the next piece
    unsigned pieces = 0;           // issued and not written yet
    bool began = false;
    Ended result;
  };

  bool next_piece(Work& work, Piece& piece);
  void pump();
  void issue(Work& work, const Piece& piece);
  void arrived(const Piece& piece, bool error, uint32_t life);
  void placed(const Piece& piece, bool error, uint32_t life);
  void finish();
  void settle();

  Timeline& m_timeline;
  BurstPort& m_port;
  uint8_t m_master;
  std::deque<Work> m_copies;
  unsigned m_outstanding = 0;  // bursts and words on their way, dropped ones too
  Cycle m_next_issue = 0;
  bool m_pumping = false;
  uint32_t m_life = 0;
  std::function<void()> m_drained;
  uint64_t s_bytes_read = 0, s_bytes_written = 0;
};

}  // namespace presil::dsp
