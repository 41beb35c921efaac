// Instructions and vector element operations per second of the DSP's instruction-set simulator,
// with the cycle model on, VLEN 512: programs that clang compiled (dsp_programs.c).
//
// link: presil_dsp_core
#include <benchmark/benchmark.h>

#include <cstring>
#include <random>
#include <vector>

#include "models/dsp/dsp_core.h"
#include "tests/bench/dsp_programs.h"

namespace presil::dsp {
namespace {

constexpr uint64_t kCode = 0x10000000, kData = 0x11000000;
constexpr size_t kBytes = 1 << 17, kElements = 4096;

struct Job {
  std::vector<uint8_t> code, data = std::vector<uint8_t>(kBytes), filled;
  Core core{Config{}};

  template <size_t n>
  explicit Job(const uint8_t (&program)[n]) : code(program, program + n) {
    code.insert(code.end(), {0x73, 0x00, 0x00, 0x00});  // ecall: where it returns to
    std::mt19937 random(1);
    for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
    filled = data;
    core.memory().add({kCode, code.size(), code.data(), kRead | kExecute, Space::kTcm, 0, nullptr});
    core.memory().add({kData, kBytes, data.data(), kRead | kWrite, Space::kTcm, 0, nullptr});
  }
  uint64_t run() {
    Hart& h = core.hart();
    h.x[1] = kCode + code.size() - 4;
    h.x[2] = kData + kBytes;
    h.x[10] = kData;
    h.x[11] = kElements;
    h.x[12] = kData + kBytes / 2;
    core.run(kCode);
    return h.x[10];
  }
};

template <size_t n>
void measure(benchmark::State& state, const uint8_t (&program)[n], bool sorts) {
  Job job(program);
  for (auto _ : state) {
    if (sorts) std::memcpy(job.data.data(), job.filled.data(), 4 * kElements);
    benchmark::DoNotOptimize(job.run());
  }
  const auto rate = benchmark::Counter::kIsRate;
  const Core& core = job.core;
  state.counters["instructions"] = {static_cast<double>(core.instructions()), rate};
  state.counters["elements"] = {static_cast<double>(core.hart().unit.elements()), rate};
  state.counters["cycles"] = {static_cast<double>(core.hart().cycle), rate};
  state.counters["cycles_per_element"] =
      static_cast<double>(core.hart().cycle) / static_cast<double>(state.iterations()) / kElements;
}

void heap_sort(benchmark::State& state) {
  measure(state, kHeapSort, true);
}
void crc(benchmark::State& state) {
  measure(state, kCrc, false);
}
void dot(benchmark::State& state) {
  measure(state, kDot, false);
}
void requantise(benchmark::State& state) {
  measure(state, kRequantise, false);
}
void dot_intrinsics(benchmark::State& state) {
  measure(state, kDotIntrinsics, false);
}
void requantise_intrinsics(benchmark::State& state) {
  measure(state, kRequantiseIntrinsics, false);
}
BENCHMARK(heap_sort);
BENCHMARK(crc);
BENCHMARK(dot);
BENCHMARK(requantise);
BENCHMARK(dot_intrinsics);
BENCHMARK(requantise_intrinsics);

}  // namespace
}  // namespace presil::dsp

BENCHMARK_MAIN();
