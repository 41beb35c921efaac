#include "compiler_bridge/plan/addresses.h"

namespace presil::plan {

View Addresses::stored(TensorId t, int columns, const Window& w, int b0, int b1) const {
  const BlockedBuffer& s = storage(t);
  const KeptBuffer& k = kept(t);
  View v;
  v.words = s.form == Form::kC16;
  v.x_step = s.x_step();
  const Lattice& lattice = m_layout.place(t).lattice;
  const uint32_t pitch = s.row_pitch(lattice.columns == 0 ? columns : lattice.columns);
  v.x_step *= static_cast<uint32_t>(lattice.step_x);
  v.row_pitch = pitch * static_cast<uint32_t>(lattice.step_y);
  v.block_pitch = s.block_pitch();
  v.rows = w.rows(), v.columns = w.columns(), v.blocks = b1 - b0;
  v.space = k.keep == Keep::kSram ? kSram : region_space(PRESIL_REGION_SCRATCH);
  const uint64_t base = k.keep == Keep::kSram ? m_plan.offset_of(k.buffer) : k.offset;
  v.base = base + uint64_t(m_layout.place(t).block + b0) * v.block_pitch +
           uint64_t(lattice.y0) * pitch + uint64_t(w.y0) * v.row_pitch +
           uint64_t(lattice.x0) * s.x_step() + uint64_t(w.x0) * v.x_step;
  return v;
}

View Addresses::tiled(TensorId t, const Window& w, int b0, int b1, int buffer) const {
  const BlockedBuffer& s = storage(t);
  View v;
  v.words = s.form == Form::kC16;
  v.x_step = s.x_step();
  v.row_pitch = s.row_pitch(w.columns());
  v.rows = w.rows(), v.columns = w.columns(), v.blocks = b1 - b0;
  v.block_pitch = s.block_pitch(v.rows, v.columns);
  v.base = m_plan.offset_of(buffer);
  return v;
}

LinearView Addresses::flat(TensorId t, int columns, const Window& w, int channel, int channels,
                           int whole, const Lattice& lattice) const {
  LinearView v;
  v.space = linear_space(t);
  v.channels = channels;
  const auto pixel = static_cast<uint32_t>(whole);
  const uint32_t row =
      pixel * static_cast<uint32_t>(lattice.columns == 0 ? columns : lattice.columns);
  v.x_step = pixel * static_cast<uint32_t>(lattice.step_x);
  v.row_pitch = row * static_cast<uint32_t>(lattice.step_y);
  v.rows = w.rows(), v.columns = w.columns();
  v.base = linear_offset(t) + uint64_t(lattice.y0) * row + uint64_t(w.y0) * v.row_pitch +
           uint64_t(lattice.x0) * pixel + uint64_t(w.x0) * v.x_step + uint64_t(channel);
  return v;
}

}  // namespace presil::plan
