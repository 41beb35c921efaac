// A tile of the models' plain objects: what plays a program. No SystemC, no values.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "compiler_bridge/play/timed_queue.h"
#include "models/common/bank_load.h"
#include "models/dla/dla_engine.h"
#include "models/dma/dma_unit.h"
#include "models/memory/memory_core.h"
#include "models/noc/crossbar.h"
#include "models/sync/sync_unit.h"

namespace presil::play {

inline constexpr uint64_t kPage = 4096;  ///< of a job's memory

class Tile {
 public:
  explicit Tile(const SocConfig& config);

  /// A queue that models play, by its number; else it is a TimedQueue.
  bool plays(uint8_t queue) const;
  TimedQueue& timed(uint8_t queue);

  /// A job for a queue that models play: its doorbell rings in cycle `at`.
  /// @param words  of its commands, which are put at job.stream_address
  void submit(uint8_t queue, const JobEntry& job, const std::vector<uint32_t>& words, Cycle at);
  static uint64_t ring_of(uint8_t queue) { return PRESIL_DRAM_BASE + kPage * queue; }

  /// Until nothing happens any more.
  void run() { m_timeline.run_all(); }

  /// Commands that models have played, the first offer and the last end among them.
  size_t commands() const { return m_commands; }
  Cycle first() const { return m_first; }
  Cycle last() const { return m_last; }
  const std::map<uint8_t, TimedQueue>& timed() const { return m_timed; }

 private:
  void seen(const CommandRecord& record);
  void write(uint8_t queue, uint32_t offset, uint32_t value);

  SocConfig m_config;
  Cycle m_period_ps;
  Timeline m_timeline;
  memory::Sram m_sram;
  memory::Bytes m_dram;
  memory::SystemBytes m_system;
  noc::Crossbar m_crossbar;
  sync::SyncUnit m_sync;
  BankLoad m_banks;
  dma::DmaUnit m_dma;
  std::map<uint8_t, std::unique_ptr<dla::Engine>> m_dlas;  ///< by queue
  std::map<uint8_t, TimedQueue> m_timed;
  size_t m_commands = 0;
  Cycle m_first = Timeline::kNever, m_last = 0;
};

}  // namespace presil::play
