// Instructions per second of the Arm core's instruction-set simulator, with cycles: programs that
// clang compiled (cpu_programs.c); and cores that sleep. Start it in the root of the checkout.
//
// link: presil_cpu_core
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "models/cpu/cpu_core.h"
#include "tests/bench/cpu_programs.h"

namespace presil::cpu {
namespace {

constexpr uint32_t kCode = 0x1000, kData = 0x20000000, kElements = 4096;
constexpr size_t kBytes = 1 << 17;

// A vector table, and a breakpoint where the program returns to.
struct Machine {
  std::vector<uint8_t> code = std::vector<uint8_t>(kCode), data = std::vector<uint8_t>(kBytes);
  Core core;

  explicit Machine(const Config& config) : core(config) {}
  void start() {
    const uint32_t vectors[2] = {kData + kBytes, kCode | 1};
    std::memcpy(code.data(), vectors, sizeof vectors);
    Region flash;
    flash.bytes = static_cast<uint32_t>(code.size());
    flash.host = code.data();
    flash.rights = kRead | kExecute;
    core.memory().add(flash);
    Region ram;
    ram.base = kData;
    ram.bytes = kBytes;
    ram.host = data.data();
    ram.rights = kRead | kWrite;
    core.memory().add(ram);
    core.reset(0);
    core.system().store(0xe000ed88, 4, 0, 0xf00000);
  }
};

struct Job : Machine {
  template <size_t n>
  Job(const uint8_t (&program)[n], const Config& config) : Machine(config) {
    code.insert(code.end(), program, program + n);
    code.insert(code.end(), {0x00, 0xbe});
    std::mt19937 random(1);
    for (uint8_t& byte : data) byte = static_cast<uint8_t>(random() % 64);
    start();
  }
  uint32_t run() {
    Hart& h = core.hart();
    h.r[0] = kData;
    h.r[1] = kElements;
    h.r[2] = kData + kBytes / 2;
    h.r[13] = kData + kBytes;
    h.r[14] = static_cast<uint32_t>(code.size() - 2) | 1;
    core.jump(kCode);
    core.run_until(~uint64_t{0});
    return h.r[0];
  }
};

template <size_t n>
void measure(benchmark::State& state, const uint8_t (&program)[n]) {
  Job job(program, read_config("models/cpu/cores/cortex_m4.yaml"));
  for (auto _ : state) benchmark::DoNotOptimize(job.run());
  const auto rate = benchmark::Counter::kIsRate;
  const Core& core = job.core;
  state.counters["instructions"] = {static_cast<double>(core.instructions()), rate};
  state.counters["cycles"] = {static_cast<double>(core.cycle()), rate};
  state.counters["cycles_per_instruction"] =
      static_cast<double>(core.cycle()) / static_cast<double>(core.instructions());
}

void list(benchmark::State& state) {
  measure(state, kList);
}
void matrix(benchmark::State& state) {
  measure(state, kMatrix);
}
void state_machine(benchmark::State& state) {
  measure(state, kState);
}
void crc(benchmark::State& state) {
  measure(state, kCrc);
}
void driver(benchmark::State& state) {
  measure(state, kDriver);
}
void float_filter(benchmark::State& state) {
  measure(state, kFloat);
}
BENCHMARK(list);
BENCHMARK(matrix);
BENCHMARK(state_machine);
BENCHMARK(crc);
BENCHMARK(driver);
BENCHMARK(float_filter);

// 152 cores in WFI, as SpiNNaker2 has them, asked every 1,000 cycles.
void idle(benchmark::State& state) {
  constexpr unsigned kCores = 152;
  std::vector<std::unique_ptr<Machine>> machines;
  for (unsigned i = 0; i < kCores; ++i) {
    machines.push_back(std::make_unique<Machine>(Config{}));
    std::vector<uint8_t>& code = machines.back()->code;
    code.insert(code.end(), {0x30, 0xbf, 0xfd, 0xe7});  // wfi; b to it
    machines.back()->start();
  }
  uint64_t cycle = 0;
  for (auto _ : state) {
    cycle += 1000;
    for (auto& m : machines) m->core.run_until(cycle);
  }
  state.counters["core_cycles"] = {static_cast<double>(cycle * kCores),
                                   benchmark::Counter::kIsRate};
  state.counters["bytes_per_core"] = static_cast<double>(sizeof(Core));
}
BENCHMARK(idle);

}  // namespace
}  // namespace presil::cpu

BENCHMARK_MAIN();
