// Events per second through a timeline: as many under way as in a running tile, each asks for the
// next one, at the distances and in the phases that a network shows.
// link: presil_common
#include <benchmark/benchmark.h>

#include "models/common/timeline.h"

namespace presil {
namespace {

struct Chain {
  Timeline& time;
  uint64_t& left;
  uint32_t random;

  void operator()() {
    if (left == 0) return;
    --left;
    random = random * 1664525 + 1013904223;
    // one in 64 lies beyond the wheel, as the ends of long commands do
    const Cycle wait = random >> 26 == 0 ? 1000 : random >> 28;
    time.at(time.now() + wait, static_cast<Phase>(random >> 20 & 3), *this);
  }
};

void events(benchmark::State& state) {
  constexpr uint64_t kEvents = 100000;
  for (auto _ : state) {
    Timeline time;
    uint64_t left = kEvents;
    for (uint32_t i = 0; i < 16; ++i) time.at(0, Phase::kEngine, Chain{time, left, i});
    time.run_all();
    state.SetItemsProcessed(state.items_processed() + static_cast<int64_t>(time.events()));
  }
}
BENCHMARK(events);

}  // namespace
}  // namespace presil

BENCHMARK_MAIN();
