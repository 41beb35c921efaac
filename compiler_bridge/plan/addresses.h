// Pixels of tensors as views: where a plan has put them.
#pragma once

#include <vector>

#include "compiler_bridge/plan/plan.h"
#include "compiler_bridge/plan/view.h"

namespace presil::plan {

class Addresses {
 public:
  /// @param linear_offsets by linear buffer, in its region; constants included
  Addresses(const Layout& layout, const Plan& plan, std::vector<uint64_t> linear_offsets)
      : m_layout(layout), m_plan(plan), m_linear_offsets(std::move(linear_offsets)) {}

  const BlockedBuffer& storage(TensorId t) const { return m_layout.blocked_of(t); }
  const KeptBuffer& kept(TensorId t) const {
    return m_plan.blocked_buffers[size_t(m_layout.place(t).storage)];
  }

  /// Pixels of window `w` and blocks [b0, b1) of a tensor whose rows have `columns` pixels, in its
  /// storage: SRAM, or scratch region. @pre the storage is not kept as a linear buffer
  View stored(TensorId t, int columns, const Window& w, int b0, int b1) const;
  /// The same pixels in a tile buffer of their own.
  View tiled(TensorId t, const Window& w, int b0, int b1, int buffer) const;
  /// The same pixels of a tensor of `whole` channels in its linear buffer: `channels` of them, from
  /// `channel` on.
  LinearView flat(TensorId t, int columns, const Window& w, int channel, int channels, int whole,
                  const Lattice& lattice = {}) const;

  /// Of a tensor's first byte, in the region of its linear buffer or in the SRAM.
  uint64_t linear_offset(TensorId t) const {
    const TensorPlace& place = m_layout.place(t);
    const uint64_t begin = m_plan.is_resident(place.flat)
                               ? m_plan.offset_of(m_plan.linear_buffers[size_t(place.flat)])
                               : m_linear_offsets[size_t(place.flat)];
    return begin + place.linear_at;
  }
  unsigned linear_region(TensorId t) const {
    return m_layout.linear_buffers[size_t(m_layout.place(t).flat)].region;
  }
  Space linear_space(TensorId t) const {
    return m_plan.is_resident(m_layout.place(t).flat) ? kSram : region_space(linear_region(t));
  }
  /// The DSP has the tensor's flat in the SRAM.
  bool is_resident(TensorId t) const { return m_plan.is_resident(m_layout.place(t).flat); }

 private:
  const Layout& m_layout;
  const Plan& m_plan;
  std::vector<uint64_t> m_linear_offsets;
};

}  // namespace presil::plan
