// An engine from outside in RTL as a block of the SoC, alone or in lock-step with its plug-in's
// model.
#pragma once

#include <memory>
#include <vector>

#include "sim/rtl/engine_top.h"
#include "sim/rtl/queue_block.h"

namespace presil::rtl {

class OutsideBlock : public QueueBlock {
 public:
  /// @param kind RTL or lock-step
  /// @param rtl  of the engine of `place`; outlives the block
  /// @throws Refusal where the RTL is built with other parameters than the SoC has
  OutsideBlock(const platform::EngineBlockPlace& place, platform::BlockKind kind,
               const EngineRtl& rtl);

 private:
  const std::vector<uint64_t> m_parameters;
};

/// With the library beside that of the engine, opened once for as long as the process lives.
/// @param waveforms the library that writes them
/// @throws Refusal besides where there is none
std::unique_ptr<platform::Block> make_outside(const platform::EngineBlockPlace& place,
                                              platform::BlockKind kind, bool waveforms = false);

}  // namespace presil::rtl
