// The DRAM and its controllers, as time: which burst is served when. Bursts are pushed in the
// cycle in which they arrive; next() tells when something is decided again; step() decides.
// The same object serves the model and, through an AXI slave, the RTL. Bytes live in memory_core.
// Rows, banks and the order are in dram_channel; here are channels, background traffic, cycles.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/memory/dram_traffic.h"
#include "models/soc/dram_map.h"
#include "models/soc/soc_config.h"
#include "rtl/soc/address_map.h"

namespace presil::memory {

using presil::kAtomBytes;

/// Masters: enum presil_queue, the user's block, and the background traffic of `contended`.
inline constexpr uint8_t kBackground = PRESIL_MASTER_USER + 1;
inline constexpr unsigned kDramMasters = kBackground + 1;

inline constexpr uint8_t kNoTile = 0xff;

/// Atoms that a burst touches.
constexpr unsigned atoms_of(uint64_t address, unsigned bytes) {
  return static_cast<unsigned>((address + bytes - 1) / kAtomBytes - address / kAtomBytes + 1);
}

struct DramBurst {
  uint64_t address = 0;  ///< at most 256 B, inside a block of 256 B
  uint32_t bytes = 0;
  bool write = false;
  uint8_t master = 0;  ///< enum presil_queue: for statistics, and for whose fault a delay is
  uint32_t token = 0;  ///< the asker's, handed back
  uint8_t tile = 0;    ///< of the asker; the background is of none, kNoTile
};

/// When a read's data leave the controller: atom k at first_ps + k * atom_ps. What it waited since
/// its arrival, in disjoint parts.
struct DramTimes {
  int64_t first_ps = 0;
  int64_t atom_ps = 0;
  unsigned atoms = 0;
  int64_t row_ps = 0;         ///< the bus was idle for a row to be closed or opened
  int64_t turnaround_ps = 0;  ///< the bus was idle between reads and writes
  int64_t refresh_ps = 0;     ///< the bus was idle after a refresh
  int64_t busy_ps = 0;        ///< the bus moved bursts of other masters
  int64_t own_ps = 0;         ///< and of its own
  int64_t tiles_ps = 0;       ///< of busy_ps, that of other tiles
};

class DramListener {
 public:
  virtual ~DramListener() = default;
  /// A read leaves its queue; its times are fixed and lie read_latency ahead.
  virtual void read_decided(uint32_t token, const DramTimes& times) = 0;
  /// A write leaves its queue: its entry is free.
  virtual void write_decided(uint32_t token) = 0;
};

/// One command to the DRAM, for checks; a read or write is `atoms` column accesses, `spaced_ps`
/// apart. kAutoPrecharge: with the last access (`closed`), of an idle bank (`adaptive`), for a
/// refresh: it takes no clock of the command bus.
struct DramCommand {
  enum Kind : uint8_t { kActivate, kPrecharge, kAutoPrecharge, kRead, kWrite, kRefresh };
  Kind kind;
  unsigned channel, bank;
  uint32_t row;
  unsigned atoms;
  int64_t at_ps;  ///< its first clock; of kAutoPrecharge and kRefresh it may be before or ahead
  int64_t spaced_ps;
};

class DramObserver {
 public:
  virtual ~DramObserver() = default;
  virtual void command(const DramCommand& command) = 0;
};

/// Width of the first bins of DramStatistics::traffic.
inline constexpr Cycle kTrafficBinCycles = 64;

struct DramStatistics {
  std::array<uint64_t, kDramMasters> read_bytes{}, written_bytes{};  ///< asked for, by master
  uint64_t atoms_read = 0, atoms_written = 0;
  uint64_t reads = 0, writes = 0;  ///< bursts, or their parts where the map cuts them
  uint64_t row_hits = 0;           ///< bursts for which no row was opened
  uint64_t activates = 0, turnarounds = 0;
  uint64_t refreshes = 0;  ///< of banks in use: an idle bank's are carried out when it is used next
  int64_t busy_ps = 0;     ///< the data bus moves something, summed over the channels
  /// What a tile's bursts have had of it.
  struct Tile {
    uint64_t reads = 0, writes = 0;  ///< bursts
    uint64_t atoms_read = 0, atoms_written = 0;
    int64_t waited_ps = 0;  ///< of reads, summed up: the bus moved bursts of other tiles
  };
  std::vector<Tile> tiles = std::vector<Tile>(1);
  /// Over the bus, whole atoms, of all masters, at their column accesses.
  DramTraffic traffic{kTrafficBinCycles * 1000};
  /// Reads by cycles from arrival to the first data; the last bucket holds all above.
  std::vector<uint32_t> latency = std::vector<uint32_t>(1024, 0);

  uint64_t total_read_bytes() const;
  uint64_t total_written_bytes() const;
  double row_hit_rate() const;  ///< 0 when nothing was asked
  double mean_latency() const;
  Cycle latency_percentile(double fraction) const;
};

class DramChannel;

class Dram : private DramListener {
 public:
  static constexpr Cycle kNever = INT64_MAX;

  Dram(const DramConfig& config, Cycle period_ps, DramListener& listener);
  ~Dram() override;

  /// A burst arrives (a write: its last beat). The asker keeps to read_places and write_places.
  /// What was due before is decided first.
  void push(Cycle now, const DramBurst& burst);
  /// The cycle of the next decision, kNever when nothing waits.
  Cycle next() const;
  /// Decides everything that is due by `now`.
  void step(Cycle now);

  unsigned read_places() const { return m_read_places; }
  unsigned write_places() const { return m_write_places; }
  const DramStatistics& statistics() const { return s; }
  /// So many tiles ask; one, where it is not called.
  void set_tiles(unsigned tiles);
  void observe(DramObserver* observer);

 private:
  /// One of the two masters of `contended`: bursts of 256 B at a fixed pace.
  struct Background {
    bool write = false;
    int64_t interval = 0;  // ps; 0: none
    int64_t due = 0;
    unsigned places = 0;  // of its share of the queue, free
    uint64_t position = 0, random = 0;
  };

  /// A burst that the map cuts into parts.
  struct Cut {
    DramBurst burst;
    unsigned left = 0;  // parts
    int64_t first_ps = 0;
  };

  void read_decided(uint32_t token, const DramTimes& times) override;
  void write_decided(uint32_t token) override;
  void read_done(uint32_t token, const DramTimes& times);
  void write_done(uint32_t token);
  void advance(int64_t until_ps);
  void cut(int64_t now_ps, const DramBurst& burst);
  void forward(int64_t now_ps, const DramBurst& burst);
  void emit(Background& master);
  int64_t due_of(const Background& master) const;

  DramConfig m_config;
  DramMap m_map;
  Cycle m_period_ps;
  DramListener& m_listener;
  DramStatistics s;
  std::vector<std::unique_ptr<DramChannel>> m_channels;
  std::array<Background, 2> m_background;
  DramChannel* m_only = nullptr;  // the one channel, where it and the asker are all there is
  unsigned m_read_places, m_write_places;
  uint64_t m_waiting = 0;  // bursts of the asker
  int64_t m_now_ps = 0;
  std::vector<Cut> m_cuts;  // none where no burst is cut
  std::vector<uint32_t> m_free_cuts;
};

}  // namespace presil::memory
