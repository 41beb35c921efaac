// What is said of blocks in RTL besides that they are.
#pragma once

#include "sim/platform/blocks.h"
#include "sim/rtl/rtl_clock.h"

namespace presil::rtl {

struct RtlOptions {
  uint32_t seed = 1;  ///< of all state that reset does not set
  unsigned batch = RtlClock::kBatch;
  TraceWindow trace;
};

inline RtlOptions options_of(const platform::BlockKinds& kinds) {
  RtlOptions options;
  options.seed = kinds.seed;
  options.trace = kinds.trace;
  if (kinds.batch != 0) options.batch = kinds.batch;
  return options;
}

/// What a block does from now on is written down, where that is asked for. After its first
/// accesses: they take no time.
/// @param clock what has record(recorder)
/// @param top what has waveform(file)
template <class Clock, class Top>
void record(Clock& clock, Top& top, const TraceWindow& trace, const std::string& block,
            Cycle period_ps) {
  if (trace.folder.empty()) return;
  clock.record(std::make_unique<WaveRecorder>(top.waveform(trace.folder + "/" + block + ".fst"),
                                              trace, period_ps));
}

}  // namespace presil::rtl
