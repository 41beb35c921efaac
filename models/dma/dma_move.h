// What a system-to-system copy holds between R and W, word by word: from when a burst can be
// written, and when the words of a burst read have gone. Bytes are not looked at.
//
// A beat of R enters the stream in its cycle and a word leaves it in the next one at the earliest,
// one a cycle; the end of a burst read cuts a word in two, whose parts join again. A word is a beat
// of W in the cycle after, if the buffer of 32 beats has room and fewer than 8 bursts wait in it.
#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "models/dma/dma_timing.h"

namespace presil::dma {

class MoveBuffer {
 public:
  static constexpr size_t kBeats = kWriteFifoWords;
  static constexpr size_t kBursts = 8;

  MoveBuffer(const Command& command, const Side& destination, unsigned beat_bytes)
      : m_command(command), m_walk(destination), m_beat_bytes(beat_bytes) {}

  /// A burst of `bytes` is asked for.
  void taken(uint32_t bytes) { m_taken += bytes; }
  /// The next burst read, its beats in cycles `first` to `last`.
  void read(const Piece& piece, Cycle first, Cycle last);
  /// The first complete burst, of `bytes`, is picked in cycle `at`.
  void picked(Cycle at, uint32_t bytes);
  /// W beats of the next picked burst leave from cycle `first` on, one a cycle.
  void sent_from(Cycle first);

  /// The first cycle from `at` on, if one is known, in which a burst of `bytes` fits in: at most
  /// 512 bytes are held, or 256 before it. Those of a burst read count from when it is asked for
  /// until all its words have left the stream; those of a word from then until its burst is picked.
  /// @param at not before that of the last question
  std::optional<Cycle> room_at(Cycle at, uint32_t bytes);
  /// The cycle from which the next burst can be picked, if that is known.
  std::optional<Cycle> burst_at() const;
  /// The cycle in which the last word of the next burst read leaves the stream, if it is known;
  /// once for each.
  std::optional<Cycle> next_gone();

 private:
  struct Read {
    Piece piece;
    Cycle first, last;
    unsigned beats;
  };
  /// The last times of something that comes in order, by number.
  struct Times {
    std::deque<Cycle> last;
    size_t count = 0;

    void add(Cycle at, size_t keep);
    bool known(size_t number) const { return number < count; }
    Cycle at(size_t number) const { return last[last.size() - (count - number)]; }
  };

  /// Bytes with the cycle after which they count.
  struct Ledger {
    std::deque<std::pair<Cycle, uint32_t>> entries;
    uint64_t sum = 0;

    uint64_t before(Cycle at);
  };

  void walk();
  bool push(Cycle from);
  Cycle entered(const Read& read, uint64_t stream_end) const;

  Command m_command;
  RowWalk m_walk;
  unsigned m_beat_bytes;
  std::deque<Read> m_reads;
  std::deque<Cycle> m_gone;             // of reads that are over
  uint64_t m_read_from = 0;             // source bytes before the first of m_reads
  uint64_t m_put_bytes = 0;             // of the stream, that have left it
  Cycle m_put_at = 0, m_entry = 0;      // the last word left the stream; the burst read may enter
  bool m_open = false, m_ends = false;  // a beat is open, and is the last of its burst
  uint64_t m_word = 0;                  // address / beat_bytes of it
  size_t m_pushed = 0, m_ended = 0;     // beats, bursts
  unsigned m_burst_beats = 0;           // pushed of the burst that has not ended
  std::deque<unsigned> m_unsent;        // beats of bursts that have ended
  std::deque<Cycle> m_bursts;           // not picked: complete from
  Times m_beat_left, m_burst_left;
  uint64_t m_taken = 0;
  Ledger m_read, m_put, m_picked;  // of reads whose words have gone; of words; of bursts
};

}  // namespace presil::dma
