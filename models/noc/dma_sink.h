// The DMA's way from its R port to its SRAM write port, as it is booked ahead: by bursts of reads,
// as soon as the DRAM has decided when they come; and by pieces of local copies.
//
// Beats wait in a FIFO of 8 until the byte stream takes them; a burst's words leave the stream one
// a cycle before the next burst's first beat enters. A piece does not wait for all that is booked:
// as in rtl/dma/dma_sram_write.sv it gets its turn between two bursts when the loads rest, or when
// it has waited for long, and what is booked from there on comes so much later.
#pragma once

#include <array>
#include <deque>

#include "models/soc/soc_config.h"

namespace presil::noc {

class DmaSink {
 public:
  static constexpr size_t kBeats = 8;                 ///< of the FIFO
  static constexpr Cycle cycles_load_to_local = 10;   ///< last word of a load, 8 cycles without one
  static constexpr Cycle cycles_local_patience = 36;  ///< first wish to a turn between two bursts

  /// The next read burst: beats of the R port; words that it makes, 0 if they do not go to the SRAM
  /// or if what takes them holds the port itself; of them, those that its last beat completes.
  void begin(unsigned beats, unsigned words, unsigned tail);
  /// Its next beat, which is there from `ready` on. @return the cycle in which it comes
  Cycle beat(Cycle ready);
  /// After its last beat. @return the cycle in which its last word leaves the stream, as it is now
  Cycle end(Cycle now);

  /// The burst that was the last to end.
  uint32_t number() const { return m_number; }
  /// The cycle in which the last word of that burst leaves the stream, after pieces that have come
  /// before it; `otherwise` where it has done so.
  Cycle gone(uint32_t number, Cycle otherwise) const;

  /// The next read burst may begin.
  Cycle free() const { return m_port_free; }
  /// A piece of a local copy: `cycles` at the write port, from `earliest` on.
  /// @param next where it has to wait: a piece that asks for so many cycles after its first one has
  ///   the turn still; 0: none
  /// @return its first cycle
  Cycle reserve(Cycle earliest, unsigned cycles, unsigned next);
  /// No beat before `until`.
  void hold(Cycle until);

 private:
  struct Booked {
    Cycle first, last;
  };
  Cycle turn(Cycle earliest) const;

  std::deque<Booked> m_bursts;  // to the SRAM, one after another
  uint32_t m_number = 0;        // of the last of them
  Cycle m_port_free = 0;        // R port
  Cycle m_stream_free = 0;      // the stream is empty
  Cycle m_write_free = 0;       // nothing is booked at the SRAM's write port
  Cycle m_turn_kept = -1;       // by the piece that asks for this cycle
  Cycle m_piece_end = 0;        // of the last piece
  Cycle m_held = 0;
  // Of the burst that is being booked.
  Cycle m_beats = 0, m_words = 0, m_tail = 0, m_beat = 0, m_entry = 0;
  // When the last beats entered the stream: beat i at i % kBeats, of all that have come.
  std::array<Cycle, kBeats> m_entered{};
  size_t m_count = 0;
};

}  // namespace presil::noc
