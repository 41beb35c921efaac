// What the DRAM's data bus moves, over time: bytes in bins of equal width, from time 0 on. When the
// bins are full, two become one, so that there are always 2048 .. 4096 for what has passed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace presil::memory {

class DramTraffic {
 public:
  static constexpr size_t kBins = 4096;
  /// @param bin_ps width at the beginning
  explicit DramTraffic(int64_t bin_ps) : m_bin_ps(bin_ps), m_to(bin_ps), m_bytes(kBins, 0) {}

  /// `bytes` at an even pace over [at, at + length). Times of several channels may go back a
  /// little.
  void add(int64_t at, int64_t length, uint32_t bytes) {
    if (at >= m_from && at + length <= m_to)
      m_bytes[m_bin] += bytes;
    else
      add_across(at, length, bytes);
  }

  int64_t bin_ps() const { return m_bin_ps; }
  /// By bin, up to the last one with traffic.
  std::vector<uint64_t> bytes() const;

 private:
  void add_across(int64_t at, int64_t length, uint32_t bytes);

  int64_t m_bin_ps;
  int64_t m_from = 0, m_to;  // of bin m_bin, where the newest traffic is
  size_t m_bin = 0;
  std::vector<uint64_t> m_bytes;
};

}  // namespace presil::memory
