#include "compiler_bridge/plan/tensor_moves.h"

#include <algorithm>

namespace presil::plan {

void TensorMoves::load_blocked_buffers() {
  for (const Load& load : m_s.layout.loads) {
    const KeptBuffer& k = m_s.plan.blocked_buffers[size_t(load.storage)];
    if (k.keep != Keep::kSram || load.first_use != m_s.step) continue;
    m_arrived = 0;
    if (comes_with_tiles(load)) {
      m_arriving = &load;
    } else {
      load_rows(load, 0, m_s.layout.blocked_buffers[size_t(load.storage)].extent.h, 0);
    }
  }
}

void TensorMoves::load_arriving(int until, uint32_t tile) {
  if (m_arriving == nullptr || until <= m_arrived) return;
  load_rows(*m_arriving, m_arrived, until, tile);
  m_arrived = until;
}

/// The rows of the layer's first blocked operand, as it sees them.
bool TensorMoves::comes_with_tiles(const Load& load) const {
  const Operands operands = m_s.layout.layer_at(m_s.step).work.operands();
  const auto first = std::find_if(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.form == Operand::Form::kBlocked && !operand.by_choice;
  });
  return first != operands.end() && m_s.layout.place(first->tensor).storage == load.storage &&
         first->extent &&
         first->extent->h == m_s.layout.blocked_buffers[size_t(load.storage)].extent.h;
}

void TensorMoves::load_rows(const Load& load, int y0, int y1, uint32_t tile) {
  const BlockedBuffer& s = m_s.layout.blocked_buffers[size_t(load.storage)];
  const Window rows{y0, y1, 0, s.extent.w, 0, 0};
  const View to = m_s.places.stored(load.tensor, s.extent.w, rows, 0, s.blocks);
  const LinearView from = m_s.places.flat(load.from, s.extent.w, rows, 0, s.extent.c, s.extent.c);
  const int slot =
      m_s.slot_from(m_s.plan.blocked_buffers[size_t(load.storage)].load_step, m_s.queues.loads);
  const bool last = m_arriving == &load && y0 > 0 && y1 == s.extent.h;
  if (last) m_s.arrival = {m_s.step, slot, m_s.step + 1};
  for (DmaCopy& copy : load_linear(from, to, load.flip_sign)) {
    if (last) copy.accesses.push_back(ordered(kArrived, true));
    m_s.program.before(slot, m_s.entry(std::move(copy), m_s.queues.loads, tile));
  }
}

void TensorMoves::load_tile(TensorId t, int columns, const Window& w, int b0, int b1,
                            const View& to, int slot, uint32_t tile, bool last) {
  const TensorPlace& place = m_s.layout.place(t);
  if (last) m_s.arrival = {m_s.step, slot, m_s.step + 2};
  const auto put = [&](DmaCopy copy) {
    if (last) copy.accesses.push_back(ordered(kArrived, true));
    m_s.program.before(slot, m_s.entry(std::move(copy), m_s.queues.loads, tile));
  };
  if (m_s.places.kept(t).keep == Keep::kTiles) {
    put(copy_view(m_s.places.stored(t, columns, w, b0, b1), to));
    return;
  }
  const int channels = place.lanes.channels();
  const int first = b0 * 16;
  const int count = to.words ? std::min(channels, b1 * 16) - first : channels;
  const int loaded = m_s.places.storage(t).load;
  TensorPlace::Store from;  // what the DLA has made comes back from where it was stored
  if (loaded != kNone) {
    const Load& load = m_s.layout.loads[size_t(loaded)];
    from = {load.from, 0, channels, load.flip_sign};
  } else {
    from = place.stores.front();
  }
  const LinearView view =
      m_s.places.flat(from.tensor, columns, w, from.channel + first, count, from.channels);
  for (DmaCopy& copy : load_linear(view, to, from.flip_sign)) put(std::move(copy));
}

void TensorMoves::store_tile(TensorId t, int columns, const Window& w, int b0, int b1,
                             const View& from, uint32_t tile) {
  const TensorPlace& place = m_s.layout.place(t);
  if (m_s.places.kept(t).keep == Keep::kTiles) {
    ProgramBuilder::Entry e = m_s.entry(copy_view(from, m_s.places.stored(t, columns, w, b0, b1)),
                                        m_s.queues.stores, tile);
    e.completes = m_s.layout.sharing_storage(t);
    m_s.program.after(std::move(e));
  }
  for (const TensorPlace::Store& store : place.stores) {
    for (const Segment& s : place.lanes.segments) {
      const int first = std::max(s.block, b0),
                last = std::min(s.block + (s.channels + 15) / 16, b1);
      if (first >= last) continue;
      const int skipped = (first - s.block) * 16;
      const int channels = std::min(s.channels, (last - s.block) * 16) - skipped;
      View part = from;
      part.base += uint64_t(first - b0) * from.block_pitch;
      part.blocks = last - first;
      const LinearView to =
          m_s.places.flat(store.tensor, columns, w, store.channel + s.channel + skipped, channels,
                          store.channels, place.lattice);
      for (DmaCopy& copy : store_linear(part, to, store.flip_sign)) {
        ProgramBuilder::Entry e = m_s.entry(std::move(copy), m_s.queues.stores, tile);
        e.completes = m_s.layout.sharing_linear(store.tensor);
        e.completes_linear = true;
        m_s.program.after(std::move(e));
      }
    }
  }
}

}  // namespace presil::plan
