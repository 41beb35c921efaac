// What is said of blocks in RTL besides that they are.
#pragma once

#include "sim/platform/blocks.h"
#include "sim/rtl/rtl_clock.h"

namespace presil::rtl {

struct RtlOptions {
  uint32_t seed = 1;  ///< of all state that reset does not set
  unsigned batch = RtlClock::kBatch;
};

inline RtlOptions options_of(const platform::BlockKinds& kinds) {
  RtlOptions options;
  options.seed = kinds.seed;
  if (kinds.batch != 0) options.batch = kinds.batch;
  return options;
}

}  // namespace presil::rtl
