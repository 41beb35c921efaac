#include "models/dma/dma_move.h"

#include <algorithm>

#include "models/soc/dram_map.h"
#include "rtl/soc/address_map.h"

namespace presil::dma {

void MoveBuffer::Times::add(Cycle at, size_t keep) {
  last.push_back(at);
  ++count;
  if (last.size() > keep) last.pop_front();
}

uint64_t MoveBuffer::Ledger::before(Cycle at) {
  while (!entries.empty() && entries.front().first < at) {
    sum += entries.front().second;
    entries.pop_front();
  }
  return sum;
}

std::optional<Cycle> MoveBuffer::room_at(Cycle at, uint32_t bytes) {
  const uint64_t held = m_taken - m_read.before(at) + m_put.before(at) - m_picked.before(at);
  if (held < PRESIL_BURST_BYTES || held + bytes <= kBeats * kWordBytes) return at;
  std::optional<Cycle> next;  // less is held after what comes first
  for (const Ledger* ledger : {&m_read, &m_picked}) {
    if (ledger->entries.empty()) continue;
    const Cycle then = ledger->entries.front().first + 1;
    if (!next || then < *next) next = then;
  }
  return next;
}

void MoveBuffer::read(const Piece& piece, Cycle first, Cycle last) {
  m_reads.push_back({piece, first, last, words_touched(piece.address, piece.bytes, m_beat_bytes)});
  walk();
}

void MoveBuffer::picked(Cycle at, uint32_t bytes) {
  m_bursts.pop_front();
  m_picked.entries.emplace_back(at, bytes);
  m_burst_left.add(at, kBursts);
  walk();
}

void MoveBuffer::sent_from(Cycle first) {
  for (unsigned beat = 0; beat < m_unsent.front(); ++beat) m_beat_left.add(first + beat, kBeats);
  m_unsent.pop_front();
  walk();
}

std::optional<Cycle> MoveBuffer::burst_at() const {
  if (m_bursts.empty()) return std::nullopt;
  return m_bursts.front();
}

std::optional<Cycle> MoveBuffer::next_gone() {
  if (m_gone.empty()) return std::nullopt;
  const Cycle at = m_gone.front();
  m_gone.pop_front();
  return at;
}

// The beat with the byte before `stream_end` enters the stream. Between the beats of two atoms of
// the DRAM lie the cycles that its data bus takes longer than the port.
Cycle MoveBuffer::entered(const Read& read, uint64_t stream_end) const {
  const uint64_t source = source_from_packed(m_command, stream_end) - m_read_from;
  const uint64_t last = read.piece.address + source - 1;
  const auto units = [&read](uint64_t to, unsigned bytes) {
    return static_cast<Cycle>(to / bytes - read.piece.address / bytes);
  };
  const Cycle beat = units(last, m_beat_bytes);
  const Cycle atoms = units(read.piece.address + read.piece.bytes - 1, presil::kAtomBytes);
  const Cycle gaps = read.last - read.first - (read.beats - 1);
  const Cycle gap = atoms == 0 ? 0 : (gaps * units(last, presil::kAtomBytes) + atoms - 1) / atoms;
  return std::max(read.first + beat + gap, m_entry + beat);
}

// The open beat goes into the buffer, no earlier than `from`. False: it is not known when.
bool MoveBuffer::push(Cycle from) {
  Cycle at = from;
  if (m_pushed >= kBeats) {
    if (!m_beat_left.known(m_pushed - kBeats)) return false;
    at = std::max(at, m_beat_left.at(m_pushed - kBeats) + 1);
  }
  if (m_ended >= kBursts) {
    if (!m_burst_left.known(m_ended - kBursts)) return false;
    at = std::max(at, m_burst_left.at(m_ended - kBursts) + 1);
  }
  ++m_pushed;
  ++m_burst_beats;
  m_open = false;
  if (m_ends) {
    ++m_ended;
    m_bursts.push_back(at);
    m_unsent.push_back(m_burst_beats);
    m_burst_beats = 0;
  }
  m_put_at = std::max(m_put_at, at - 1);  // a word may follow in the same cycle
  return true;
}

void MoveBuffer::walk() {
  for (;;) {
    if (m_open && m_ends && !push(m_put_at + 1)) return;
    if (m_reads.empty()) return;
    const Read& read = m_reads.front();
    const uint64_t address = m_walk.address();
    const uint32_t in_word = m_beat_bytes - address % m_beat_bytes;
    const uint64_t left = read.piece.stream_end - m_put_bytes;
    const auto bytes =
        static_cast<uint32_t>(std::min<uint64_t>(std::min(in_word, m_walk.in_row()), left));
    const Cycle at = std::max(m_put_at + 1, entered(read, m_put_bytes + bytes) + 1);
    const bool joins = m_open && m_word == address / m_beat_bytes;
    if (m_open && !joins && !push(at)) return;
    m_put_at = std::max(at, m_put_at + 1);
    m_open = true;
    m_ends = bytes == m_walk.in_row() || (address + bytes) % PRESIL_BURST_BYTES == 0;
    m_word = address / m_beat_bytes;
    m_put_bytes += bytes;
    m_put.entries.emplace_back(m_put_at, bytes);
    m_walk.skip(bytes);
    if (m_put_bytes == read.piece.stream_end) {
      m_entry = m_put_at;
      m_gone.push_back(m_put_at);
      m_read.entries.emplace_back(m_put_at, read.piece.bytes);
      m_read_from += read.piece.bytes;
      m_reads.pop_front();
    }
  }
}

}  // namespace presil::dma
