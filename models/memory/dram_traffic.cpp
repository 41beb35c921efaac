#include "models/memory/dram_traffic.h"

namespace presil::memory {

// A burst over several bins gives each what passes in it, rounded so that nothing is lost.
void DramTraffic::add_across(int64_t at, int64_t length, uint32_t bytes) {
  while (at + length > m_bin_ps * static_cast<int64_t>(kBins)) {
    for (size_t i = 0; i < kBins / 2; ++i) m_bytes[i] = m_bytes[2 * i] + m_bytes[2 * i + 1];
    std::fill(m_bytes.begin() + kBins / 2, m_bytes.end(), 0);
    m_bin_ps *= 2;
  }
  const auto passed = [&](int64_t until) {
    return length == 0 ? int64_t{bytes} : int64_t{bytes} * (until - at) / length;
  };
  int64_t given = 0;
  for (m_bin = static_cast<size_t>(at / m_bin_ps);; ++m_bin) {
    m_from = static_cast<int64_t>(m_bin) * m_bin_ps;
    m_to = m_from + m_bin_ps;
    const int64_t until = passed(std::min(m_to, at + length));
    m_bytes[m_bin] += static_cast<uint64_t>(until - given);
    given = until;
    if (m_to >= at + length) return;
  }
}

std::vector<uint64_t> DramTraffic::bytes() const {
  size_t used = kBins;
  while (used > 0 && m_bytes[used - 1] == 0) --used;
  return {m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(used)};
}

}  // namespace presil::memory
