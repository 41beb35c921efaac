// Requests per CPU second of the DRAM alone, in a closed loop of 16 bursts. items_per_second counts
// requests of 64 B: a burst of 256 B is four.
//
// link: presil_dram
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "models/memory/dram.h"

namespace presil::memory {
namespace {

struct Loop : DramListener {
  void read_decided(uint32_t, const DramTimes&) override { --waiting; }
  void write_decided(uint32_t) override { --waiting; }
  unsigned waiting = 0;
};

enum Traffic { kStreams, kNetwork, kRandom64 };

std::vector<DramBurst> traffic(int kind) {
  std::mt19937 random(1);
  std::vector<DramBurst> list(1 << 16);
  for (uint32_t i = 0; i < list.size(); ++i) {
    DramBurst& b = list[i];
    b.bytes = kind == kRandom64 ? 64 : 256;
    b.token = i;
    if (kind == kStreams) {
      b.address = i * 256ull;
    } else if (kind == kNetwork) {  // weights, a tile, an output tile
      b.address = (uint64_t{i % 4} << 24) + i / 4 * 256;
      b.write = i % 4 == 3;
    } else {
      b.address = random() % (1u << 30) / 64 * 64;
    }
  }
  return list;
}

void requests(benchmark::State& state) {
  const auto list = traffic(static_cast<int>(state.range(0)));
  Loop loop;
  Dram dram(DramConfig{}, 1000, loop);
  Cycle now = 0;
  size_t next = 0;
  for (auto _ : state) {
    while (loop.waiting < 16) {
      ++loop.waiting;
      dram.push(now, list[next++ % list.size()]);
    }
    now = dram.next();
    dram.step(now);
  }
  const DramStatistics& s = dram.statistics();
  state.SetItemsProcessed(static_cast<int64_t>(s.atoms_read + s.atoms_written));
  state.counters["row_hit_rate"] = s.row_hit_rate();
}
BENCHMARK(requests)->ArgName("traffic")->Arg(kStreams)->Arg(kNetwork)->Arg(kRandom64);

}  // namespace
}  // namespace presil::memory

BENCHMARK_MAIN();
