// The DRAM's controller as the crossbars of a SoC's tiles share it: a port for each tile. A burst
// is served when the controller says (models/memory/dram), whichever tile it is of. Entries of the
// controller's queues are common to all; one that becomes free is offered first to the tile after
// the one that had the last.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/common/timeline.h"
#include "models/memory/dram.h"

namespace presil::noc {

class DramPorts : private memory::DramListener {
 public:
  enum Direction : unsigned { kRead, kWrite, kDirections };

  /// What a tile's crossbar hears of its own bursts, and of entries.
  class User : public memory::DramListener {
   public:
    /// One has become free; it may take it in the grant phase of this cycle.
    virtual void place_free(unsigned direction) = 0;
  };

  DramPorts(const DramConfig& config, Cycle period_ps, Timeline& timeline);

  /// @return its number: tiles in the order in which they are added
  unsigned add(User& user);
  /// Entries that are free, of all tiles.
  unsigned places(unsigned direction) const { return m_places[direction]; }
  void take_place(unsigned direction, unsigned tile) {
    --m_places[direction];
    m_last[direction] = tile;
  }
  /// A burst with an entry arrives, now. @param burst.token the tile's own, below 2^24
  void push(unsigned tile, memory::DramBurst burst);
  const memory::DramStatistics& statistics() const { return m_dram.statistics(); }

 private:
  static constexpr unsigned kTileShift = 24;

  void step();
  void free_place(unsigned direction);
  void read_decided(uint32_t token, const memory::DramTimes& times) override;
  void write_decided(uint32_t token) override;

  Timeline& m_timeline;
  memory::Dram m_dram;
  std::vector<User*> m_users;
  std::array<unsigned, kDirections> m_places, m_last{};
  Cycle m_steps_at = Timeline::kNever;
};

}  // namespace presil::noc
