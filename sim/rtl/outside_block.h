// An engine from outside in RTL as a block of the SoC, alone or in lock-step with its plug-in's
// model.
#pragma once

#include <vector>

#include "sim/engine/engine_plugin.h"
#include "sim/rtl/engine_top.h"
#include "sim/rtl/queue_block.h"

namespace presil::rtl {

struct OutsidePlace {
  const platform::BlockKinds& kinds;  ///< seed, batch, waveform
  platform::BlockKind kind;           ///< RTL or lock-step
  Timekeeper& timekeeper;
  const EnginePlace& engine;  ///< its ports in the tile; used while the block is made
  platform::CounterWatch watch;
};

class OutsideBlock : public QueueBlock {
 public:
  /// @param rtl of the same engine as the plug-in; both outlive the block
  /// @throws Refusal where the RTL is of another engine, or built with other parameters
  OutsideBlock(const EnginePlugin& plugin, const EngineRtl& rtl, const OutsidePlace& place);
};

}  // namespace presil::rtl
