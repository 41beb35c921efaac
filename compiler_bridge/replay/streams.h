// The commands of a loadable, queue by queue, as words say them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler_bridge/replay/accesses.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/loadable_generated.h"

namespace presil::replay {

/// Met when the counter has come this far since the job began.
struct Wait {
  unsigned counter = 0;  ///< 0: none
  int64_t value = 0;
};

/// Bytes of the image that a DMA command copies to the SRAM as they are.
struct Loaded {
  uint64_t to = 0, from = 0, bytes = 0;
};

struct Command {
  uint8_t queue = 0;
  uint32_t index = 0;
  int layer = -1;    ///< of the loadable's debug map
  std::string name;  ///< "dla 12 (conv2d_3 tile 1)"
  bool nop = false, fence = false;
  bool local = false;                ///< a DMA command within one memory
  std::array<Wait, kGates> waits{};  ///< DLA: by gate; others: any of them holds all
  unsigned signal = 0;
  int64_t add = 0;
  std::vector<Access> accesses;
  std::optional<Loaded> loaded;
  /// DSP: its region table, which says what it touches besides, and its argument block.
  std::optional<Span> regions, arguments;
};

using Queues = std::array<std::vector<Command>, PRESIL_QUEUES>;

/// Refuses (presil::Refusal) streams outside the image and tags without an entry in the debug map.
Queues read_streams(const loadable::Loadable& l);

}  // namespace presil::replay
