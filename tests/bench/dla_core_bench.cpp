// Multiply-accumulates per second of the DLA's values, on shapes of ResNet-like networks: 3x3 and
// 1x1, wide and narrow images, one pixel, depthwise.
//
// link: presil_dla_core
#include <benchmark/benchmark.h>

#include <vector>

#include "models/dla/dla_core.h"

namespace presil::dla {
namespace {

struct Layer {
  unsigned side, in_blocks, out_blocks, kernel, stride;
};

Command command_of(Op op, const Layer& l) {
  Command c = Command::make(op);
  const unsigned side = (l.side + l.stride - 1) / l.stride;
  c.kernel_h = c.kernel_w = static_cast<uint8_t>(l.kernel);
  c.pad_top = c.pad_left = static_cast<uint8_t>(l.kernel / 2);
  c.stride_y = c.stride_x = static_cast<uint8_t>(l.stride);
  c.in_h = c.in_w = static_cast<uint16_t>(l.side);
  c.out_h = c.out_w = static_cast<uint16_t>(side);
  c.in_x_step = c.out_x_step = 16;
  c.in_row_pitch = l.side * 16;
  c.in_cb_pitch = l.side * l.side * 16;
  c.in_blocks = static_cast<uint16_t>(op == Op::kConv ? l.in_blocks : 1);
  c.in_kb_step = op == Op::kConv ? 0 : 1;
  c.out_blocks = static_cast<uint16_t>(l.out_blocks);
  c.out_lanes_last = 16;
  c.out_row_pitch = side * 16;
  c.out_cb_pitch = side * side * 16;
  c.block_rows = static_cast<uint8_t>(128 / side);
  c.w_base = 0x80000;
  c.w_cb_pitch = l.kernel * l.kernel * 256;
  c.w_kb_pitch = c.w_cb_pitch * c.in_blocks;
  c.p_base = 0x1f0000;
  c.out_base = 0x180000;
  c.act_min = -128;
  c.act_max = 127;
  return c;
}

void run(benchmark::State& state, const Command& c, double macs) {
  std::vector<uint8_t> sram(2 << 20);
  for (size_t i = 0; i < sram.size(); ++i) sram[i] = static_cast<uint8_t>(i * 167);
  Core core{DlaConfig()};
  for (auto _ : state) {
    core.execute(c, sram.data());
    benchmark::ClobberMemory();
  }
  state.counters["MAC/s"] = benchmark::Counter(macs, benchmark::Counter::kIsIterationInvariantRate);
}

void conv(benchmark::State& state) {
  const auto arg = [&](int i) { return static_cast<unsigned>(state.range(i)); };
  const Layer l{arg(0), arg(1), arg(2), arg(3), arg(4)};
  const Command c = command_of(Op::kConv, l);
  run(state, c, double(c.out_h) * c.out_w * c.out_blocks * c.in_blocks * 256 * l.kernel * l.kernel);
}
BENCHMARK(conv)
    ->ArgNames({"side", "in", "out", "kernel", "stride"})
    ->Args({32, 2, 2, 3, 1})
    ->Args({16, 4, 4, 3, 1})
    ->Args({8, 8, 8, 3, 1})
    ->Args({32, 2, 4, 3, 2})
    ->Args({16, 16, 4, 1, 1})
    ->Args({16, 4, 8, 1, 2})
    ->Args({4, 16, 16, 3, 1})
    ->Args({1, 32, 32, 1, 1});

void dwconv(benchmark::State& state) {
  const Layer l{static_cast<unsigned>(state.range(0)), 4, 4, 3, 1};
  const Command c = command_of(Op::kDwconv, l);
  run(state, c, double(c.out_h) * c.out_w * c.out_blocks * 16 * 9);
}
BENCHMARK(dwconv)->Arg(32)->Arg(8);

}  // namespace
}  // namespace presil::dla

BENCHMARK_MAIN();
