// What the DRAM takes for the rows that tiles read and write side by side, by its model: rows that
// it opens and closes, refreshes, turns between reads and writes, latency under the bursts that a
// channel may have on their way.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "models/soc/soc_config.h"

namespace presil::plan {

/// Rows of `bytes` in memory that lie `pitch` apart, and the words of the SRAM that each one
/// touches. Dense: as many bytes as the pitch.
struct Rows {
  uint64_t bytes = 0, pitch = 0, words = 0;

  static Rows dense();
  /// Pixels of `channels`, of which `part` are moved.
  static Rows of_pixels(uint64_t part, uint64_t channels);
  /// Pixels of `bytes`, of which `part` next to each other are moved, then as many a row below.
  static Rows of_columns(uint64_t part, uint64_t columns, uint64_t bytes, uint64_t words);
  bool operator<(const Rows& o) const {
    return std::tie(bytes, pitch, words) < std::tie(o.bytes, o.pitch, o.words);
  }
};

/// One sample of each mix is run on the model; its pace is kept for all that are like it.
class MemoryStreams {
 public:
  explicit MemoryStreams(const SocConfig& config);

  /// Cycles from the first data to the last.
  Cycle cycles(const Rows& reads, uint64_t read, const Rows& writes, uint64_t written);
  Cycle reading(const Rows& rows, uint64_t bytes) { return cycles(rows, bytes, {}, 0); }
  /// In one long row.
  Cycle reading(uint64_t bytes) const { return static_cast<Cycle>(m_dense * double(bytes)); }
  Cycle writing(const Rows& rows, uint64_t bytes) { return cycles({}, 0, rows, bytes); }

  /// As cost.h has them, found once.
  Cycle load_latency() const { return m_load_latency; }
  Cycle store_latency() const { return m_store_latency; }
  Cycle fetch_cycles() const { return m_fetch; }

 private:
  static constexpr unsigned kShares = 4;  ///< of the time that goes to writes, in so many steps

  /// Cycles of a byte of one side without the other.
  double alone(const Rows& rows, bool write);
  /// What both take side by side, of what they take one after the other.
  double mixed(const Rows& reads, const Rows& writes, unsigned share);

  SocConfig m_config;  ///< without refreshes: their share is m_refreshed
  double m_refreshed;  ///< time with refreshes, of time without
  double m_dense = 0;  ///< cycles of a byte that is read in one long row
  Cycle m_load_latency, m_store_latency, m_fetch;
  std::map<std::tuple<Rows, bool>, double> m_alone;
  std::map<std::tuple<Rows, Rows, unsigned>, double> m_mixed;
};

}  // namespace presil::plan
