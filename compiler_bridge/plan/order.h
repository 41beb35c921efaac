// Commands as ordering sees them: a queue, the bytes each reads and writes, and the waits that make
// the queues keep the order in which the program was written down.
//
// Queue q signals counter 1 + q by one per command, when the command has completed; commands of a
// queue complete in order. So "counter of q >= v" says that the first v commands of q are done.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rtl/soc/address_map.h"

namespace presil::plan {

/// Where bytes lie: the SRAM, or a region of the job.
using Space = uint8_t;
inline constexpr Space kSram = 0;
/// Bytes that are in no memory: they order commands which touch no byte in common.
inline constexpr Space kNowhere = 255;
inline constexpr uint64_t kDispatched = 0, kArrived = 1, kSelected = 2;  ///< such bytes
constexpr Space region_space(unsigned region) {
  return static_cast<Space>(1 + region);
}

/// The three units of the DLA that wait on their own (rtl/dla/README.md): the weight loader
/// (weights, parameters, tables), sequencer and residual reader, writer. Other queues have one gate
/// with two wait ports, the DSP's with three; their accesses say kIn or kOut, which makes no
/// difference.
enum class Gate : uint8_t { kWeights, kIn, kOut };
inline constexpr size_t kGates = 3;

struct Access {
  Space space = kSram;
  Gate gate = Gate::kIn;
  bool write = false;
  uint64_t begin = 0, end = 0;  ///< bytes [begin, end)
};

/// Until the first `count` commands of `queue` have completed. count 0: no wait.
struct Wait {
  uint8_t queue = 0;
  uint32_t count = 0;
  bool before = false;  ///< of the job before
  bool operator==(const Wait& other) const {
    return queue == other.queue && count == other.count && before == other.before;
  }
};

/// One command in program order.
struct ProgramStep {
  uint8_t queue = 0;  ///< enum presil_queue
  std::vector<Access> accesses;
  /// Its queue alone keeps it after earlier such steps: true for everything but DMA copies within
  /// one memory (rtl/dma/README.md: order within a channel).
  bool in_order = true;
  /// What writes to these bytes later waits for those earlier steps too, this one does not.
  struct Hold {
    Access access;
    size_t step = 0;
  };
  std::vector<Hold> holds = {};
};

/// A step with its waits; `step` -1 is a nop that only carries waits for the next one of its queue.
struct Ordered {
  int step = -1;
  uint8_t queue = 0;
  /// DLA: by Gate. Others: the first two.
  std::array<Wait, kGates> waits{};
  bool fence = false;  ///< begin when every earlier command of the queue has completed
};

/// The program in the order it was written, nops included.
using Program = std::vector<Ordered>;

/// Is told now and then how many steps are done.
using Told = std::function<void(size_t steps)>;
inline constexpr size_t kToldEvery = 1024;

/// Counts of completed commands per queue that someone can be sure of.
using Clock = std::array<uint32_t, PRESIL_QUEUES>;

}  // namespace presil::plan
