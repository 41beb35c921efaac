// Makes the faults of one job happen, at the doors that the models have for them: bursts at the
// crossbar, lines and writes at the host, commands at the queues, words in the memories. Nothing of
// it is there while no fault is armed.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "models/common/queue_frontend.h"
#include "models/common/timekeeper.h"
#include "models/host/host.h"
#include "models/memory/memory.h"
#include "sim/faults/fault.h"

namespace presil::faults {

/// What an injector works on.
struct Tile {
  Timekeeper& timekeeper;
  memory::Memory& memory;
  host::Host& host;
  std::function<QueueFrontend*(uint8_t queue)> queue;  ///< nullptr: none that is a model
  std::function<void()> reset;
};

class Injector {
 public:
  explicit Injector(Tile tile) : m_tile(std::move(tile)) {}
  Injector(const Injector&) = delete;
  Injector& operator=(const Injector&) = delete;

  /// Faults of the job that begins now.
  /// @param dram_bytes from the DRAM's beginning: what a loss of power loses
  void arm(const std::vector<Fault>& faults, uint64_t dram_bytes);
  /// The job is over: what has not happened does not, lines and clocks are right again. Words of
  /// memory stay what they are.
  void disarm();
  bool armed() const { return m_armed != nullptr; }

  struct Happened {
    Fault fault;
    uint64_t times = 0;
    Cycle first = -1;  ///< when, in cycles of the SoC
  };
  /// Of the job armed last.
  const std::vector<Happened>& happened() const { return m_happened; }

 private:
  struct Pending {
    uint64_t met = 0;  ///< bursts or doorbells, the skipped ones among them
  };
  void schedule(size_t index);
  void happen(size_t index);
  void end(const Fault& fault);
  void happens(size_t index);
  bool meets(size_t index);
  noc::Crossbar::BurstFault of_burst(const Burst& burst);
  bool of_write(uint64_t address, uint32_t value);
  void show_lines();
  void stand(const Fault& fault, bool stands);
  void invert(const Fault& fault);
  void write_crc(const Fault& fault);
  void corrupt_entry(const Fault& fault, uint32_t tail);
  void lose_memory(const Fault& fault);

  Tile m_tile;
  Cycle m_begin = 0;
  uint64_t m_dram_bytes = 0;
  std::vector<Happened> m_happened;
  std::vector<Pending> m_pending;
  uint32_t m_lost = 0, m_spurious = 0;
  std::shared_ptr<bool> m_armed;  ///< events of an earlier job find another one
};

}  // namespace presil::faults
