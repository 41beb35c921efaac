// The commands of every queue, in the order in which the program is written down, with the waits
// that keep that order.
#pragma once

#include <vector>

#include "compiler_bridge/dsp_image/dsp_image.h"
#include "compiler_bridge/plan/image.h"
#include "compiler_bridge/plan/order.h"
#include "compiler_bridge/plan/plan.h"
#include "compiler_bridge/plan/tensor_record.h"
#include "compiler_bridge/plan/word.h"

namespace presil::plan {

/// A command as it will run; its tag is its index in Schedule::commands.
struct ScheduledCommand {
  uint8_t queue = 0;
  uint32_t index = 0;  ///< in its queue
  Word word;
  int layer = kNone;  ///< of the partition; kNone: a nop or a copy that belongs to no layer
  uint32_t tile = 0;
  std::vector<Access> accesses;  ///< the bytes it touches
};

/// A program of the DSP among the constants.
struct PlacedImage {
  uint64_t offset = 0;
  const dsp_image::Image* image = nullptr;
};

struct Schedule {
  std::vector<ScheduledCommand> commands;  ///< in program order
  Image image;                             ///< constants
  std::vector<TensorRecord> tensors;       ///< by tensor of the graph
  std::vector<PlacedImage> dsp_images;
  uint32_t job_span = 0;  ///< every used counter advances by this per job
  bool overlaps = false;  ///< commands wait for those of the job before where they must
};

/// Queues of a tile with this many DMA channels: weights and constants, activations, stores and
/// layers of its own on different channels while there are enough.
struct DmaQueues {
  uint8_t weights, loads, stores, copies;
};
DmaQueues dma_queues(const DmaConfig& config);

/// What begins the next step when one has ended: waits and signals, or the ARM, which is asked
/// between any two (for comparison).
enum class Dispatch : uint8_t { kSync, kHost };

/// @param search  is told how far it is
/// @param overlaps  jobs may follow each other on an engine before the others have ended
Schedule make_schedule(const ir::Graph& graph, const Layout& layout, const Plan& plan,
                       const SocConfig& config, Dispatch dispatch = Dispatch::kSync,
                       Search* search = nullptr, bool overlaps = false);

}  // namespace presil::plan
