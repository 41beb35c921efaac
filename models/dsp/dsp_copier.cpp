#include "models/dsp/dsp_copier.h"

#include <algorithm>
#include <cstring>

#include "models/dsp/dsp_timing.h"
#include "rtl/soc/address_map.h"

namespace presil::dsp {
namespace {

constexpr unsigned kWordBytes = 16;  ///< of SRAM and tightly coupled memory, one a cycle
/// From the issue of a piece to AR, or to its first word where it is read locally.
constexpr Cycle cycles_issue_to_address = 1, cycles_issue_to_word = 3;
/// From the last beat to the byte in the memory; to the first W beat where it goes on to DRAM.
constexpr Cycle cycles_beat_to_place = 2, cycles_beat_to_write = 2;
constexpr Cycle cycles_last_to_end = 1;

Cycle words_of(uint32_t bytes) {
  return (bytes + kWordBytes - 1) / kWordBytes;
}

}  // namespace

void Copier::start(Copy copy, Cycle at, std::function<void(const Ended&)> ended) {
  Work work;
  work.copy = std::move(copy);
  work.at = at;
  work.ended = std::move(ended);
  m_copies.push_back(std::move(work));
  if (m_copies.size() == 1) pump();
}

// Rows are cut where a side in DRAM comes to a multiple of a burst's size.
bool Copier::next_piece(Work& work, Piece& piece) {
  const Copy& c = work.copy;
  if (work.row == c.rows || c.row_bytes == 0) return false;
  uint32_t bytes = std::min(c.row_bytes - work.offset, uint32_t{PRESIL_BURST_BYTES});
  const auto cut = [&](const Side& side) {
    const uint64_t address =
        side.address + static_cast<uint64_t>(side.stride * work.row) + work.offset;
    if (side.dram)
      bytes = std::min<uint32_t>(bytes, PRESIL_BURST_BYTES - address % PRESIL_BURST_BYTES);
    return address;
  };
  piece.from = cut(c.from);
  piece.to = cut(c.to);
  piece.bytes = bytes;
  work.offset += bytes;
  if (work.offset == c.row_bytes) {
    work.offset = 0;
    ++work.row;
  }
  return true;
}

// Issues what may be issued; a piece a cycle.
void Copier::pump() {
  if (m_copies.empty() || m_pumping) return;
  Work& work = m_copies.front();
  const Cycle at = std::max({m_timeline.now(), work.at, m_next_issue});
  m_pumping = true;
  m_timeline.at(at, Phase::kEngine, [this, life = m_life] {
    if (life != m_life) return;
    m_pumping = false;
    Work& front = m_copies.front();
    Piece piece;
    if (m_outstanding < kPiecesOutstanding && !front.result.error && next_piece(front, piece)) {
      m_next_issue = m_timeline.now() + 1;
      ++front.pieces;
      ++m_outstanding;
      issue(front, piece);
      pump();
    } else if (front.pieces == 0) {
      finish();
    }
  });
}

void Copier::issue(Work& work, const Piece& piece) {
  const Cycle now = m_timeline.now();
  const auto life = m_life;
  if (!work.copy.from.dram) {
    // The local port is busy for the words of the piece.
    const Cycle words = words_of(piece.bytes);
    m_next_issue = now + words;
    m_timeline.at(now + cycles_issue_to_word + words - 1, Phase::kEngine,
                  [this, piece, life] { arrived(piece, false, life); });
    return;
  }
  s_bytes_read += piece.bytes;
  const Burst burst{now + cycles_issue_to_address, piece.from, piece.bytes, false, m_master};
  m_port.request(burst, [this, piece, life](const BurstTimes& times) {
    if (life == m_life && !m_copies.front().began) {
      m_copies.front().began = true;
      m_copies.front().result.first = times.first;
    }
    m_timeline.at(times.last, Phase::kEngine,
                  [this, piece, life, error = times.error] { arrived(piece, error, life); });
  });
}

// The bytes of a piece have been read.
void Copier::arrived(const Piece& piece, bool error, uint32_t life) {
  if (life == m_life) {
    Work& work = m_copies.front();
    if (!work.began) {
      work.began = true;
      work.result.first = m_timeline.now();
    }
    if (error && !work.result.error) {
      work.result.error = true;
      work.result.address = piece.from;
    }
    if (work.copy.to.dram && !work.result.error) {
      const Cycle last = m_timeline.now() + cycles_beat_to_write + words_of(piece.bytes);
      s_bytes_written += piece.bytes;
      m_port.request({last, piece.to, piece.bytes, true, m_master}, [this, piece, life](
                                                                        const BurstTimes& times) {
        m_timeline.at(times.last, Phase::kEngine,
                      [this, piece, life, failed = times.error] { placed(piece, failed, life); });
      });
      return;
    }
  }
  m_timeline.at(m_timeline.now() + cycles_beat_to_place, Phase::kEngine,
                [this, piece, life] { placed(piece, false, life); });
}

void Copier::placed(const Piece& piece, bool error, uint32_t life) {
  --m_outstanding;
  if (life != m_life) {
    settle();
    return;
  }
  Work& work = m_copies.front();
  --work.pieces;
  if (error && !work.result.error) {
    work.result.error = true;
    work.result.address = piece.to;
  }
  pump();
}

void Copier::finish() {
  m_next_issue = std::max(m_next_issue, m_timeline.now() + cycles_last_to_end);
  m_timeline.at(m_timeline.now() + cycles_last_to_end, Phase::kEngine, [this, life = m_life] {
    if (life != m_life) return;
    m_pumping = false;
    const Work work = std::move(m_copies.front());
    m_copies.pop_front();
    const Copy& c = work.copy;
    for (uint32_t row = 0; row < c.rows && !work.result.error; ++row) {
      std::memcpy(c.destination[row], c.bytes.data() + size_t{row} * c.row_bytes, c.row_bytes);
    }
    pump();
    work.ended(work.result);
  });
  m_pumping = true;  // until then
}

void Copier::drop(std::function<void()> drained) {
  ++m_life;
  m_copies.clear();
  m_pumping = false;
  m_drained = std::move(drained);
  settle();
}

void Copier::settle() {
  if (m_outstanding > 0 || !m_drained) return;
  const std::function<void()> drained = std::move(m_drained);
  m_drained = nullptr;
  drained();
}

}  // namespace presil::dsp
