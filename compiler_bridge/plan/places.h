// Pixels of tensors as views: where a plan has put them.
#pragma once

#include <vector>

#include "compiler_bridge/plan/plan.h"
#include "compiler_bridge/plan/view.h"

namespace presil::plan {

class Places {
 public:
  /// @param flat_offsets by flat, in its region; constants included
  Places(const Layout& layout, const Plan& plan, std::vector<uint64_t> flat_offsets)
      : m_layout(layout), m_plan(plan), m_flat_offsets(std::move(flat_offsets)) {}

  const Storage& storage(TensorId t) const { return m_layout.storage_of(t); }
  const KeptStorage& kept(TensorId t) const {
    return m_plan.storages[size_t(m_layout.place(t).storage)];
  }

  /// Pixels of window `w` and blocks [b0, b1) of a tensor whose rows have `columns` pixels, in its
  /// storage: SRAM, or scratch region. @pre the storage is not kept as a flat
  View stored(TensorId t, int columns, const Window& w, int b0, int b1) const;
  /// The same pixels in a tile buffer of their own.
  View tiled(TensorId t, const Window& w, int b0, int b1, int buffer) const;
  /// The same pixels of a tensor of `whole` channels in its flat: `channels` of them, from
  /// `channel` on.
  FlatView flat(TensorId t, int columns, const Window& w, int channel, int channels, int whole,
                const Lattice& lattice = {}) const;

  /// Of a tensor's first byte, in the region of its flat or in the SRAM.
  uint64_t flat_offset(TensorId t) const {
    const TensorPlace& place = m_layout.place(t);
    const uint64_t begin = m_plan.stays(place.flat)
                               ? m_plan.offset_of(m_plan.flat_buffers[size_t(place.flat)])
                               : m_flat_offsets[size_t(place.flat)];
    return begin + place.flat_at;
  }
  unsigned flat_region(TensorId t) const {
    return m_layout.flats[size_t(m_layout.place(t).flat)].region;
  }
  Space flat_space(TensorId t) const {
    return m_plan.stays(m_layout.place(t).flat) ? kSram : region_space(flat_region(t));
  }
  /// The DSP has the tensor's flat in the SRAM.
  bool stays(TensorId t) const { return m_plan.stays(m_layout.place(t).flat); }

 private:
  const Layout& m_layout;
  const Plan& m_plan;
  std::vector<uint64_t> m_flat_offsets;
};

}  // namespace presil::plan
