// What happened to one command: the unit of every timeline, layer table and overlap test.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/common/attribution.h"

namespace presil {

/// A stretch of a queue's time with one cause.
struct Segment {
  Cycle begin = 0, end = 0;
  Cause cause = Cause::kRun;
  bool dram_paced = false;  ///< it lasts as long as the DRAM's data bus takes for the bytes
};

/// What a command has done besides moving bytes, counted: what energy is estimated from.
struct Actions {
  uint64_t macs = 0, wide_macs = 0;         ///< of 8 bit by 8, of 16 bit by 8
  uint64_t instructions = 0, elements = 0;  ///< of a processor, of its vector instructions
};

struct CommandRecord {
  uint8_t queue = 0;   ///< enum presil_queue
  uint32_t tag = 0;    ///< key into the loadable's debug map
  uint32_t job = 0;    ///< tag of the job entry
  uint32_t index = 0;  ///< in its stream
  /// Its job entered the ring. From here, or from the end of the queue's previous command if that
  /// is later, to `offered` the queue was fetching (cause fetch); before that it was idle.
  Cycle doorbell = 0;
  Cycle offered = 0;  ///< the front end offers it to the engine
  Cycle start = 0;    ///< waits met: first cycle of work
  Cycle end = 0;      ///< completes: last word granted, B received, task done
  /// Cycles from the end of the queue's previous command (or `offered`, if later) to `end`.
  Attribution cycles;
  /// Of them, those of a DMA channel for which the DRAM's data bus set the pace.
  Attribution dram_paced;
  /// The same cycles in order, without gaps, of DMA channels and the host (their stretches can be
  /// laid over each other: "dma is busy when any channel runs"); empty for the DLA.
  std::vector<Segment> segments;
  uint64_t sram_read_bytes = 0, sram_written_bytes = 0;
  uint64_t dram_read_bytes = 0, dram_written_bytes = 0;
  Actions actions;
};

/// Called when a command ends, at kernel time = record.end, its values being in memory and before
/// anyone can have seen its signal.
using CommandObserver = std::function<void(const CommandRecord&)>;

}  // namespace presil
