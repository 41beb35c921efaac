// The DRAM behind one controller, as time: which burst is served when. Bursts are pushed in the
// cycle in which they arrive at the controller; next() tells when it decides again; step() decides.
// The same object serves the model and, behind an AXI slave, the RTL. Bytes live in memory_core.
//
// Today: one latency, one data bus, refresh of all banks. A decision is about one burst (at most
// 256 B); rows and banks will make it about one column access of it, behind the same functions.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "rtl/soc/address_map.h"
#include "rtl/soc/soc_config.h"

namespace presil::memory {

/// One column access: what the bus moves at once.
inline constexpr unsigned kAtomBytes = 64;

/// Atoms that a burst touches.
constexpr unsigned atoms_of(uint64_t address, unsigned bytes) {
  return static_cast<unsigned>((address + bytes - 1) / kAtomBytes - address / kAtomBytes + 1);
}

struct DramBurst {
  uint64_t address = 0;
  uint32_t bytes = 0;
  bool write = false;
  uint8_t master = 0;  ///< enum presil_queue: for statistics, and for whose fault a delay is
  uint32_t token = 0;  ///< the asker's, handed back
};

/// When a read's data leave the controller: atom k at first_ps + k * atom_ps.
struct DramTimes {
  int64_t first_ps = 0;
  int64_t atom_ps = 0;
  unsigned atoms = 0;
  int64_t refresh_ps = 0;  ///< waited behind a refresh
  int64_t busy_ps = 0;     ///< waited behind bursts of other masters
};

class DramListener {
 public:
  virtual ~DramListener() = default;
  /// A read leaves its queue; its times are fixed and lie read_latency ahead.
  virtual void read_decided(uint32_t token, const DramTimes& times) = 0;
  /// A write leaves its queue: its place is free.
  virtual void write_decided(uint32_t token) = 0;
};

struct DramStatistics {
  std::array<uint64_t, PRESIL_QUEUES> read_bytes{}, written_bytes{};  ///< asked for, by master
  uint64_t atoms_read = 0, atoms_written = 0;
  uint64_t reads = 0, writes = 0, refreshes = 0;
  int64_t busy_ps = 0;  ///< the data bus moves something
  /// Reads by cycles from arrival to the first data; the last bucket holds all above.
  std::vector<uint32_t> latency = std::vector<uint32_t>(1024, 0);

  uint64_t total_read_bytes() const;
  uint64_t total_written_bytes() const;
  double mean_latency() const;
  Cycle latency_percentile(double fraction) const;
};

class Dram {
 public:
  static constexpr Cycle kNever = INT64_MAX;

  Dram(const DramConfig& config, Cycle period_ps, DramListener& listener);

  /// A burst arrives (a write: its last beat). The asker keeps to the sizes of the queues.
  void push(Cycle now, const DramBurst& burst);
  /// The cycle of the next decision, kNever when both queues are empty.
  Cycle next() const;
  /// Decides everything that is due by `now`.
  void step(Cycle now);

  unsigned read_places() const { return m_config.read_queue; }
  unsigned write_places() const { return m_config.write_queue; }
  const DramStatistics& statistics() const { return s; }

 private:
  struct Queued {
    DramBurst burst;
    int64_t arrival_ps;
    int64_t refresh_before_ps;  // totals at arrival
    int64_t others_before_ps;
    unsigned atoms;
  };
  static constexpr int64_t kBatchAtoms = 64;

  bool write_is_next();
  void serve(std::deque<Queued>& queue);
  int64_t past_refresh(int64_t slot_ps);

  DramConfig m_config;
  Cycle m_period_ps;
  DramListener& m_listener;
  int64_t m_atom_ps;
  int64_t m_bus_free_ps = 0;
  int64_t m_next_refresh_ps;
  uint8_t m_last_master = 0;
  bool m_draining = false;
  int64_t m_batch_atoms = kBatchAtoms;  // of the side being served, since it became its turn
  std::deque<Queued> m_reads, m_writes;
  int64_t m_served_ps = 0, m_refresh_ps = 0;
  std::array<int64_t, PRESIL_QUEUES> m_served_of_ps{};
  DramStatistics s;
};

}  // namespace presil::memory
