#include "models/dma/dma_timing.h"

#include <algorithm>

#include "rtl/soc/address_map.h"

namespace presil::dma {

namespace {

constexpr unsigned kPieceWords = PRESIL_BURST_BYTES / kWordBytes;
constexpr unsigned kAtomBytes = 64;

}  // namespace

Path path_of(const Command& command) {
  if (command.op == Op::kNop) return Path::kNone;
  const bool to_system = command.dst_space == Space::kSystem;
  if (command.op == Op::kFill) return to_system ? Path::kStore : Path::kLocal;
  const bool from_system = command.src_space == Space::kSystem;
  if (from_system) return to_system ? Path::kMove : Path::kLoad;
  return to_system ? Path::kStore : Path::kLocal;
}

uint64_t row_words(const Side& side) {
  const auto aligned = [](int32_t stride) {
    return stride % static_cast<int32_t>(kWordBytes) == 0;
  };
  if (std::all_of(side.stride.begin(), side.stride.end(), aligned)) {
    return side.rows() * words_touched(side.base, side.row_bytes);
  }
  uint64_t words = 0;
  for (RowWalk walk(side); !walk.done(); walk.skip(side.row_bytes)) {
    words += words_touched(walk.address(), side.row_bytes);
  }
  return words;
}

PieceWalk::PieceWalk(const Command& command, const Side& source, const Side& destination,
                     unsigned beat_bytes)
    : m_command(command),
      m_path(path_of(command)),
      m_beat_bytes(beat_bytes),
      m_axi(m_path == Path::kStore ? destination : source),
      m_other(m_path == Path::kStore ? source : destination),
      m_destination_row(destination.row_bytes) {
  if (m_path == Path::kNone) m_done = true;
  if (m_path == Path::kLocal) {
    m_local_words = row_words(destination);
    if (command.op == Op::kCopy) m_local_words = std::max(m_local_words, row_words(source));
  }
  if (!m_done) next();
}

// Walks the other side up to byte `to` of its stream: words touched.
unsigned PieceWalk::other_words(uint64_t to) {
  unsigned words = 0;
  while (m_other_bytes < to) {
    const uint32_t run =
        static_cast<uint32_t>(std::min<uint64_t>(m_other.in_row(), to - m_other_bytes));
    words += words_touched(m_other.address(), run);
    m_other.skip(run);
    m_other_bytes += run;
  }
  return words;
}

// Words of a load's piece; a word that its last beat completes is one of its tail.
unsigned PieceWalk::load_words() {
  const uint64_t end = m_piece.address + m_piece.bytes;
  const auto last = static_cast<uint32_t>((end - 1) % m_beat_bytes + 1);
  const uint64_t before = m_axi_bytes - std::min(last, m_piece.bytes);
  unsigned words = other_words(packed_from_source(m_command, before));
  const bool cut =
      words > 0 && m_other.in_row() < m_destination_row && m_other.address() % kWordBytes != 0;
  m_piece.tail = other_words(m_piece.stream_end);
  return words + m_piece.tail - (cut ? 1 : 0);
}

void PieceWalk::next() {
  if (m_path == Path::kLocal) {
    m_done = m_local_words == 0;
    m_piece.words = static_cast<unsigned>(std::min<uint64_t>(m_local_words, kPieceWords));
    m_local_words -= m_piece.words;
    return;
  }
  m_done = m_axi.done();
  if (m_done) return;
  const uint64_t address = m_axi.address();
  const uint32_t to_boundary = PRESIL_BURST_BYTES - address % PRESIL_BURST_BYTES;
  m_piece.address = address;
  m_piece.bytes = std::min(m_axi.in_row(), to_boundary);
  m_axi.skip(m_piece.bytes);
  m_axi_bytes += m_piece.bytes;
  unsigned words = 0;
  if (m_path == Path::kStore) {
    m_piece.stream_end = m_axi_bytes;
    if (m_command.op == Op::kCopy) words = other_words(source_from_packed(m_command, m_axi_bytes));
  } else {
    m_piece.stream_end = packed_from_source(m_command, m_axi_bytes);
    if (m_path == Path::kLoad) words = load_words();
  }
  m_piece.words = std::max(words, words_touched(address, m_piece.bytes, m_beat_bytes));
}

Cycle isolated_cycles(const Command& command, const SocConfig& config) {
  const Side source = source_of(command, command.src_base);
  const Side destination = destination_of(command, command.dst_base);
  const Path path = path_of(command);
  if (path == Path::kNone) return 1;
  const Cycle period_ps = 1000000 / static_cast<Cycle>(config.clock_mhz);
  const Cycle atom =
      (Cycle{kAtomBytes} * 1000000 / config.dram.peak_mb_per_s + period_ps - 1) / period_ps;
  const DramConfig& dram = config.dram;
  // the first burst finds its row closed
  const Cycle latency_ps = dram.setting == DramSetting::kIdeal
                               ? Cycle{dram.ideal_latency_ps}
                               : Cycle{dram.read_latency_ps} + Cycle{dram.t_rcd} * dram.clock_ps;
  const Cycle latency = (latency_ps + period_ps - 1) / period_ps;
  const Cycle way = config.noc.cycles_request + config.noc.cycles_response;
  const Cycle in_flight = config.dma.bursts_per_channel;
  const Cycle round_trip = cycles_take_to_address + way + latency + kPieceWords + 4;
  Cycle busy = 0, last = 0, bursts = 0;
  for (PieceWalk walk(command, source, destination, config.noc.data_bytes); !walk.done();
       walk.next()) {
    const Piece& piece = walk.piece();
    const Cycle words = piece.words;
    if (path == Path::kLocal || path == Path::kStore) {
      last = words;
      busy += words + cycles_pick_to_pick;
    } else {
      const Cycle atoms = words_touched(piece.address, piece.bytes, kAtomBytes);
      last = std::max(words, atoms * atom);
      busy += last;
    }
    ++bursts;
  }
  switch (path) {
    case Path::kLocal:
      return busy - cycles_pick_to_pick + cycles_pick_to_data + cycles_beat_to_complete - 1;
    case Path::kStore:
      return busy - cycles_pick_to_pick + cycles_pick_to_data + way - 1;
    case Path::kLoad:
      return std::max(busy, bursts * round_trip / in_flight) + cycles_take_to_address + way +
             latency + cycles_beat_to_complete - 1;
    default:  // reads and writes share the DRAM, two bursts at a time are on their way
      return std::max(2 * busy, bursts * round_trip / 2) + round_trip + cycles_pick_to_data + way;
  }
}

}  // namespace presil::dma
