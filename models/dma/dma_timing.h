// The cycles of the DMA: constants, and how a command becomes bursts. Plain C++; the equations that
// use them are in README.md, the objects that live by them in dma_channel and dma_unit.
#pragma once

#include <cstdint>
#include <vector>

#include "models/dma/dma_core.h"
#include "models/soc/soc_config.h"

namespace presil::dma {

inline constexpr unsigned kWordBytes = 16;       ///< SRAM word
inline constexpr unsigned kWriteFifoWords = 32;  ///< W FIFO of the store engine
inline constexpr unsigned kFreeWords = 16;       ///< of it, for a burst to begin, whatever its size
inline constexpr unsigned kAddressesWaiting = 3;  ///< AWs that may wait
inline constexpr unsigned kCommandsInFlight = 4;  ///< between read side and write side, per channel

/// From the words in the queue to the first take: iterators loaded.
inline constexpr Cycle cycles_command_to_take = 4;
/// A copy that packs is divided into elements when it is offered: cycles until it can begin.
inline constexpr Cycle cycles_pack_check = 22;
/// From the last take of a command to the first of the next one.
inline constexpr Cycle cycles_take_to_take = 4;
/// From `met` (or from the end of a drain) to the first take: iterators 1, burst register 1.
inline constexpr Cycle cycles_met_to_take = 2;
/// From take or pick to AR or AW on the bus.
inline constexpr Cycle cycles_take_to_address = 1;
/// Elastic margin from the last beat, plus one, to completion of a load.
inline constexpr Cycle cycles_beat_to_complete = 5;
/// From pick to the first W beat, or to the first word written of a local copy.
inline constexpr Cycle cycles_pick_to_data = 6;
/// Store engine: reload 1 and margin 3 after the words of a burst.
inline constexpr Cycle cycles_pick_to_pick = 4;
/// From the end of a command's last piece in the store engine to the first pick of the next
/// command.
inline constexpr Cycle cycles_leave_to_command = 3;

/// Which of the engine's paths a command takes. A channel drains when its path changes.
enum class Path : uint8_t {
  kNone,   ///< nop
  kLoad,   ///< system to SRAM: AR, R, SRAM write port
  kStore,  ///< SRAM to system, or fill of system memory: store engine, W
  kLocal,  ///< SRAM to SRAM, or fill of SRAM: store engine, SRAM write port
  kMove    ///< system to system: AR, R, W
};

Path path_of(const Command& command);

/// 16-byte words that [address, address + bytes) touches.
constexpr unsigned words_touched(uint64_t address, uint64_t bytes, unsigned word = kWordBytes) {
  return static_cast<unsigned>((address + bytes - 1) / word - address / word + 1);
}

/// A piece of work of the engine: one AXI burst, or up to 16 words of a local copy.
struct Piece {
  uint64_t address = 0;     ///< system address, where there is one
  uint32_t bytes = 0;       ///< on the AXI side
  unsigned words = 0;       ///< cycles of the SRAM port, and of the engine
  unsigned tail = 0;        ///< of a load's words, those that its last beat completes
  uint64_t stream_end = 0;  ///< bytes of the destination stream up to its end
};

/// Cuts a command into pieces, in order. AXI side: at row ends and every 256 bytes; the words of a
/// piece are those that its rows touch on the SRAM side, at least its beats. Local: max(source
/// words, destination words) in pieces of 16.
class PieceWalk {
 public:
  /// @param beat_bytes of an AXI data beat
  PieceWalk(const Command& command, const Side& source, const Side& destination,
            unsigned beat_bytes);
  bool done() const { return m_done; }
  const Piece& piece() const { return m_piece; }
  void next();

 private:
  unsigned other_words(uint64_t to);
  unsigned load_words();

  Command m_command;
  Path m_path;
  unsigned m_beat_bytes;
  RowWalk m_axi, m_other;
  uint32_t m_destination_row;
  uint64_t m_axi_bytes = 0;    // of the AXI side's stream, walked
  uint64_t m_other_bytes = 0;  // of the other side's
  uint64_t m_local_words = 0;  // left
  bool m_done = false;
  Piece m_piece;
};

/// Words that the rows of a side touch.
uint64_t row_words(const Side& side);

/// First take to completion of a command alone on an idle tile, refresh not counted: what a
/// schedule may estimate with.
Cycle isolated_cycles(const Command& command, const SocConfig& config);

}  // namespace presil::dma
