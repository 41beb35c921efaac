// What a timed command costs: planning and scheduling, for commands of the sizes that networks
// have.
//
// link: presil_dla_timing
#include <benchmark/benchmark.h>

#include "models/dla/dla_timing.h"

namespace presil::dla {
namespace {

Command conv(unsigned side, unsigned in, unsigned out, unsigned kernel, unsigned stride) {
  Command c = Command::make(Op::kConv);
  const unsigned pixels = side / stride;
  c.kernel_h = c.kernel_w = static_cast<uint8_t>(kernel);
  c.pad_top = c.pad_left = static_cast<uint8_t>(kernel / 2);
  c.stride_y = c.stride_x = static_cast<uint8_t>(stride);
  c.in_h = c.in_w = static_cast<uint16_t>(side);
  c.in_blocks = static_cast<uint16_t>(in);
  c.in_x_step = c.out_x_step = 16;
  c.in_row_pitch = side * 16;
  c.in_cb_pitch = side * side * 16;
  c.out_h = c.out_w = static_cast<uint16_t>(pixels);
  c.out_blocks = static_cast<uint16_t>(out);
  c.out_lanes_last = 16;
  c.out_row_pitch = pixels * 16;
  c.out_cb_pitch = pixels * pixels * 16;
  c.block_rows = static_cast<uint8_t>(128 / pixels);
  return c;
}

// cycles_of() of one command; the rate is simulated cycles per second.
void time_command(benchmark::State& state) {
  const auto arg = [&](int i) { return static_cast<unsigned>(state.range(i)); };
  const Command c = conv(arg(0), arg(1), arg(2), arg(3), arg(4));
  const DlaConfig config;
  Cycle cycles = 0;
  for (auto _ : state) benchmark::DoNotOptimize(cycles = cycles_of(c, config));
  const Plan plan(c, config);
  const double passes = static_cast<double>(plan.kbs * plan.passes) * plan.blocks.size();
  state.counters["passes"] = passes;
  state.counters["cycles/s"] = benchmark::Counter(static_cast<double>(cycles),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(time_command)
    ->ArgNames({"side", "in", "out", "kernel", "stride"})
    ->Args({32, 2, 2, 3, 1})
    ->Args({16, 16, 16, 3, 1})
    ->Args({8, 4, 4, 1, 1})
    ->Args({32, 1, 2, 1, 2});  // played step by step

}  // namespace
}  // namespace presil::dla

BENCHMARK_MAIN();
