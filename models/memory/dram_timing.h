// DramConfig in ps, with the sums that a controller compares with.
#pragma once

#include <array>
#include <cstdint>

#include "models/soc/soc_config.h"

namespace presil::memory {

struct DramTiming {
  explicit DramTiming(const DramConfig& config, unsigned banks);
  int64_t clock;
  int64_t atom;    ///< 64 B at the peak of one channel: a column access to the next one anywhere
  int64_t spaced;  ///< and to the next one of the same bank group: those of one burst
  int64_t rcd, rp, ras, rrd, rrd_group, faw;
  std::array<int64_t, 2> turn;  ///< last column access of [read, write] to one of the other kind
  int64_t turn_group;           ///< of a write to a read in the same bank group
  std::array<int64_t, 2> to_precharge;     ///< last one of [read, write] to precharge of its bank
  int64_t refresh_interval, refresh_time;  ///< of the kind of refresh that is chosen
  DramRefresh refresh;
  DramPage page;
  int64_t idle;  ///< of DramPage::kAdaptive
  int64_t read_latency;
  int64_t activate, precharge, column;  ///< on the command bus
  bool two_buses;
  bool banks;  ///< false: `ideal`, every access finds its row open
};

}  // namespace presil::memory
