#include "models/dma/dma_stream_walk.h"

#include <algorithm>
#include <limits>

namespace presil::dma {

namespace {

constexpr unsigned kWord = kWordBytes, kStopWords = 16, kBuffer = 32;
constexpr unsigned kNoLimit = std::numeric_limits<unsigned>::max();

unsigned to_word(const RowWalk& rows) {
  return std::min<unsigned>(rows.in_row(), kWord - rows.address() % kWord);
}

bool words_are_alike(const Command& command, const Side& source, const Side& destination) {
  if (command.op != Op::kCopy) return true;
  if (command.pack != Pack::kNone) return false;
  const auto whole = [](const Side& side) {
    return side.base % kWord == 0 && side.row_bytes % kWord == 0 &&
           std::all_of(side.stride.begin(), side.stride.end(),
                       [](int32_t stride) { return stride % static_cast<int32_t>(kWord) == 0; });
  };
  const bool one_row = source.rows() == 1 && destination.rows() == 1 &&
                       source.base % kWord == destination.base % kWord;
  return one_row || (whole(source) && whole(destination));
}

}  // namespace

StreamWalk::StreamWalk(const Command& command, const Side& source, const Side& destination)
    : m_plain(words_are_alike(command, source, destination)),
      m_source(source),
      m_target(destination) {
  const Elements elements{true, command.elem_bytes, padded_element(command.elem_bytes)};
  if (command.pack == Pack::kDrop) m_drop = elements;
  if (command.pack == Pack::kPad) m_pad = elements;
}

// Padding passes with the element's last data byte; an element of which no byte is left does not
// begin.
StreamWalk::Lanes StreamWalk::lanes(const Elements& elements, uint32_t position, unsigned count,
                                    unsigned limit) {
  if (!elements.packed) {
    const unsigned all = std::min(count, limit);
    return {all, all, 0};
  }
  Lanes lanes{0, 0, position};
  while (lanes.count < count) {
    // up to where data end, or where padding does
    const bool data = lanes.position < elements.data;
    const uint32_t end = data ? elements.data : elements.pitch;
    unsigned run = std::min<unsigned>(count - lanes.count, end - lanes.position);
    if (data) run = std::min(run, limit - lanes.data);
    if (run == 0) break;
    lanes.count += run;
    if (data) lanes.data += run;
    lanes.position += run;
    if (lanes.position == elements.pitch) lanes.position = 0;
  }
  return lanes;
}

StreamWalk::Word StreamWalk::read() {
  Word word;
  word.first = m_first;
  m_first = false;
  if (word.first && !m_whole && m_data_left == 0) {  // a word of no bytes
    word.last = true;
    m_reads = false;
    return word;
  }
  const Lanes taken =
      lanes(m_drop, m_source_position, to_word(m_source), m_whole ? kNoLimit : m_data_left);
  word.count = taken.count;
  word.data = taken.data;
  m_source_position = taken.position;
  m_source.skip(taken.count);
  if (m_whole) {
    word.last = m_source.done();
  } else {
    m_data_left -= taken.data;
    word.last = m_data_left == 0 && !(m_drop.packed && m_source_position >= m_drop.data);
  }
  m_reads = !word.last;
  return word;
}

EngineWork StreamWalk::pick(PieceWalk& pieces) {
  if (m_plain) {
    EngineWork work = EngineWork::of_words(pieces.piece().words);
    pieces.next();
    work.last = pieces.done();
    return work;
  }
  if (!m_whole) m_whole = m_reads = m_first = true;
  return run(true);
}

EngineWork StreamWalk::burst(const Piece& piece) {
  if (m_plain) return EngineWork::of_words(piece.words);
  m_reads = m_first = m_bounded = true;
  m_target_left = piece.bytes;
  m_data_left = piece.bytes;
  if (m_pad.packed) m_data_left = lanes(m_pad, m_target_position, piece.bytes, kNoLimit).data;
  return run(false);
}

// A cycle: a word of the source is asked for, the one before enters the stream, one leaves it.
EngineWork StreamWalk::run(bool local) {
  unsigned words_read = 0, words_put = 0;
  Word held;
  bool holds = false;
  for (unsigned cycle = 1;; ++cycle) {
    const bool stops = local && (words_read >= kStopWords || words_put >= kStopWords);
    const bool full = !holds && words_put >= kStopWords;
    const bool rests = local && !holds && (full || (words_read >= kStopWords && m_reads));

    // out of the stream
    const bool target = !m_target.done() && !(m_bounded && m_target_left == 0);
    const unsigned asked =
        target ? std::min(to_word(m_target), m_bounded ? m_target_left : kWord) : 0;
    const Lanes out = lanes(m_pad, m_target_position, asked, m_fill);
    const bool put =
        m_piece && out.count > 0 && (out.count == asked || m_ended) && !(local && full);
    const unsigned kept = m_fill - (put ? out.data : 0);
    bool done = m_piece && m_ended;
    if (done && put) {
      const bool owes = m_pad.packed && out.position >= m_pad.data;
      const bool last = m_bounded && m_target_left == asked && out.count == asked;
      done = (kept == 0 && !owes) || last;
    } else if (done) {
      done = out.count == 0;
    }

    // into it
    const bool ready =
        holds && (held.first ? !m_piece || done : !m_ended && kept + held.data <= kBuffer);
    const bool reads = m_reads && !stops && (!holds || ready);

    if (put) {
      ++words_put;
      m_target.skip(out.count);
      m_target_position = out.position;
      if (m_bounded) m_target_left -= out.count;
    }
    m_fill = kept;
    if (done) m_piece = false;
    if (ready) {
      m_fill += held.data;
      m_ended = held.last;
      if (held.first) m_piece = true;
      holds = false;
    }
    if (reads) {
      held = read();
      holds = true;
      if (held.count > 0) ++words_read;
    }
    if (done || rests) return {std::max(words_read, words_put), words_put, cycle, done, put};
  }
}

}  // namespace presil::dma
