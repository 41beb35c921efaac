// How long the store engine is at a piece: its words between SRAM, byte stream and destination,
// cycle by cycle, with no port in the way. Plain C++; no bytes move.
#pragma once

#include <algorithm>

#include "models/dma/dma_timing.h"

namespace presil::dma {

/// What the engine does with a pick. Times are cycles from it.
struct EngineWork {
  unsigned words = 0;   ///< that it reads, or that it writes where those are more
  unsigned puts = 0;    ///< that it writes
  unsigned leaves = 0;  ///< nothing is under way any more
  bool last = false;    ///< of a local copy
  bool writes = true;   ///< a word leaves it in the cycle in which it ends

  /// A word in and a word out in each cycle.
  static EngineWork of_words(unsigned words) { return {words, words, words + 2, false, true}; }

  Cycle to_pick() const { return std::max<Cycle>(words + cycles_pick_to_pick, leaves + 1); }
  /// Of a local copy whose words had to wait for `held` cycles, from the pick so much later.
  Cycle to_pick(Cycle held) const {
    return std::max<Cycle>(words + cycles_pick_to_pick - held, leaves + 1);
  }
  /// How long it is held where its first word waits so long: a single one waits by itself.
  Cycle held(Cycle first_waits) const { return puts > 1 ? first_waits : 0; }
  /// Then from its first word to that of a pick that follows at once; 0: the turn is given up.
  unsigned to_next() const { return writes ? leaves + 1 : 0; }
  /// To the first pick of the next command.
  Cycle to_command() const {
    return std::max<Cycle>(words + cycles_pick_to_pick, leaves + cycles_leave_to_command);
  }
  /// Of a local copy.
  Cycle to_complete() const {
    return std::max<Cycle>(words + cycles_pick_to_data - 1 + cycles_beat_to_complete,
                           leaves + cycles_leave_to_command);
  }
  /// From its first beat to its last.
  unsigned beats() const { return std::max(words, leaves - 2); }
};

class StreamWalk {
 public:
  /// A store, local copy or fill. Sides are those of the command.
  StreamWalk(const Command& command, const Side& source, const Side& destination);

  /// The next pick of a local copy: up to 16 words on either side, and what is under way then.
  /// @param pieces of the command: taken where each word of one side is a word of the other
  EngineWork pick(PieceWalk& pieces);
  /// A burst of a store.
  EngineWork burst(const Piece& piece);

 private:
  struct Elements {  // of a stream: `data` bytes of every `pitch`
    bool packed = false;
    uint32_t data = 0, pitch = 0;
  };
  struct Lanes {  // of a word, that pass
    unsigned count = 0, data = 0;
    uint32_t position = 0;  // in the element, after them
  };
  struct Word {  // of the source
    unsigned count = 0, data = 0;
    bool first = false, last = false;
  };

  static Lanes lanes(const Elements& elements, uint32_t position, unsigned count, unsigned limit);
  EngineWork run(bool local);
  Word read();

  bool m_plain;  // each word of one side is a word of the other
  RowWalk m_source, m_target;
  Elements m_drop, m_pad;
  uint32_t m_source_position = 0, m_target_position = 0;
  // the source's piece
  bool m_reads = false, m_first = false, m_whole = false;
  unsigned m_data_left = 0;  // of a burst
  // the destination's
  bool m_bounded = false;
  unsigned m_target_left = 0;
  // the stream's
  bool m_piece = false, m_ended = false;
  unsigned m_fill = 0;
};

}  // namespace presil::dma
