#include "compiler_bridge/plan/places.h"

namespace presil::plan {

View Places::stored(TensorId t, int columns, const Window& w, int b0, int b1) const {
  const Storage& s = storage(t);
  const KeptStorage& k = kept(t);
  View v;
  v.words = s.form == Form::kC16;
  v.x_step = s.x_step();
  v.row_pitch = s.row_pitch(columns);
  v.block_pitch = s.block_pitch();
  v.rows = w.rows(), v.columns = w.columns(), v.blocks = b1 - b0;
  v.space = k.keep == Keep::kSram ? kSram : region_space(PRESIL_REGION_SCRATCH);
  const uint64_t base = k.keep == Keep::kSram ? m_plan.offset_of(k.buffer) : k.offset;
  v.base = base + uint64_t(m_layout.place(t).block + b0) * v.block_pitch +
           uint64_t(w.y0) * v.row_pitch + uint64_t(w.x0) * v.x_step;
  return v;
}

View Places::tiled(TensorId t, const Window& w, int b0, int b1, int buffer) const {
  const Storage& s = storage(t);
  View v;
  v.words = s.form == Form::kC16;
  v.x_step = s.x_step();
  v.row_pitch = s.row_pitch(w.columns());
  v.rows = w.rows(), v.columns = w.columns(), v.blocks = b1 - b0;
  v.block_pitch = s.block_pitch(v.rows, v.columns);
  v.base = m_plan.offset_of(buffer);
  return v;
}

FlatView Places::flat(int index, int columns, const Window& w, int channel, int channels,
                      int whole) const {
  FlatView v;
  v.space = flat_space(index);
  v.channels = channels;
  v.x_step = static_cast<uint32_t>(whole);
  v.row_pitch = static_cast<uint32_t>(whole * columns);
  v.rows = w.rows(), v.columns = w.columns();
  v.base = flat_offset(index) + uint64_t(w.y0) * v.row_pitch + uint64_t(w.x0) * v.x_step +
           uint64_t(channel);
  return v;
}

}  // namespace presil::plan
