// Multiply-accumulates per second of the reference interpreter, operator by operator, verification
// and allocation included: what a test pays for the judge.
//
// link: presil_reference presil_ir
#include <benchmark/benchmark.h>

#include <string>

#include "compiler_bridge/ir/count.h"
#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/reference/reference.h"

namespace presil::reference {
namespace {

std::string text(int64_t value) {
  return std::to_string(value);
}

void run(benchmark::State& state, const std::string& ops) {
  const ir::Graph graph = ir::parse("graph \"bench\" tflite {\n" + ops + "  output %y\n}\n");
  const ir::Tensor& x = graph.tensor(graph.inputs[0]);
  TensorValue value{x.dtype, x.shape, ir::Bytes(x.bytes())};
  for (size_t i = 0; i < value.data.size(); ++i) value.data[i] = static_cast<uint8_t>(i * 167);
  for (auto _ : state) benchmark::DoNotOptimize(reference::run(graph, {value}));
  state.counters["MAC/s"] = benchmark::Counter(static_cast<double>(ir::macs(graph)),
                                               benchmark::Counter::kIsIterationInvariantRate);
}

/// side, input channels, output channels, kernel
void conv2d(benchmark::State& state) {
  const int64_t side = state.range(0), in = state.range(1), out = state.range(2);
  const int64_t kernel = state.range(3), pad = kernel / 2;
  run(state, "  input %x : int8[1," + text(side) + "," + text(side) + "," + text(in) +
                 "] q(0.1, 3)\n  const %w : int8[" + text(out) + "," + text(kernel) + "," +
                 text(kernel) + "," + text(in) + "] q(0.02, 0) = random 7\n" +
                 "  %y = conv2d(%x, %w) {pad_top=" + text(pad) + ", pad_left=" + text(pad) +
                 ", pad_bottom=" + text(pad) + ", pad_right=" + text(pad) + "} : int8[1," +
                 text(side) + "," + text(side) + "," + text(out) + "] q(0.3, -5)\n");
}
BENCHMARK(conv2d)
    ->Args({56, 64, 64, 3})
    ->Args({28, 128, 256, 1})
    ->Args({160, 3, 16, 3})
    ->Unit(benchmark::kMillisecond);

/// side, channels
void depthwise_conv2d(benchmark::State& state) {
  const std::string image = text(state.range(0)) + "," + text(state.range(0));
  const std::string channels = text(state.range(1));
  run(state, "  input %x : int8[1," + image + "," + channels + "] q(0.1, 3)\n" +
                 "  const %w : int8[1,3,3," + channels + "] q(0.02, 0) = random 7\n" +
                 "  %y = depthwise_conv2d(%x, %w) {pad_top=1, pad_left=1, pad_bottom=1, " +
                 "pad_right=1} : int8[1," + image + "," + channels + "] q(0.3, -5)\n");
}
BENCHMARK(depthwise_conv2d)->Args({56, 144})->Unit(benchmark::kMillisecond);

void fully_connected(benchmark::State& state) {
  run(state,
      "  input %x : int8[16,1024] q(0.1, 3)\n"
      "  const %w : int8[1000,1024] q(0.02, 0) = random 7\n"
      "  %y = fully_connected(%x, %w) : int8[16,1000] q(0.3, -5)\n");
}
BENCHMARK(fully_connected)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace presil::reference

BENCHMARK_MAIN();
