#include "models/cpu/cpu_isa.h"

namespace presil::cpu {

Isa::Isa() : m_buckets(64 + 512) {
  const std::vector<Row>* families[] = {&narrow_rows(), &branch_rows(),     &system_rows(),
                                        &data_rows(),   &multiply_rows(),   &parallel_rows(),
                                        &memory_rows(), &float_move_rows(), &float_rows()};
  for (const auto* family : families) m_rows.insert(m_rows.end(), family->begin(), family->end());
  for (size_t i = 0; i < m_rows.size(); ++i) {
    const Row& row = m_rows[i];
    const bool wide = row.mask >> 16 != 0;
    for (uint32_t b = wide ? 64 : 0; b < (wide ? m_buckets.size() : 64); ++b) {
      const uint32_t word = wide ? 0xe0000000 | (b - 64) << 20 : b << 10;
      const uint32_t fixed = row.mask & (wide ? 0x1ff00000 : 0xfc00);
      if ((word & fixed) == (row.match & fixed)) m_buckets[b].push_back(static_cast<uint16_t>(i));
    }
  }
}

const Isa& Isa::get() {
  static const Isa isa;
  return isa;
}

bool Isa::implemented(const Row& row, const Config& config) {
  if ((row.flags & kNeedsV8) != 0 && !config.v8()) return false;
  if ((row.flags & kNeedsDsp) != 0 && !config.dsp) return false;
  return (row.flags & kNeedsFpv5) == 0 || config.fpu != Fpu::kFpv4;
}

const Row* Isa::find(uint32_t word, bool wide, const Config& config) const {
  for (const uint16_t i : m_buckets[bucket(word, wide)])
    if ((word & m_rows[i].mask) == m_rows[i].match && implemented(m_rows[i], config))
      return &m_rows[i];
  return nullptr;
}

}  // namespace presil::cpu
