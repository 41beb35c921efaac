#include <algorithm>
#include <cmath>

#include "driver/kernels/dsp/cost.h"
#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_measure.h"

namespace presil::dsp {
namespace {

using Shape = std::vector<int64_t>;

template <class Params>
Measured of(const char* kernel, const char* what, const std::vector<Shape>& in, const Shape& y,
            const Shape& weights, const Params& params, uint64_t count, const char* each,
            double bound, uint64_t estimate) {
  Rig rig;
  Random random(1);
  std::vector<Operand> operands;
  for (const Shape& shape : in) operands.push_back({random_floats(random, shape, -9, 9), {}});
  if (operands.size() > 1) operands[1].strides = weights;
  const Ran ran = rig.run(kernel, operands, {{{ir::DType::kFloat32, y, {}}, {}}}, params);
  return {kernel, what, each, count, cycles_of(ran), bound, estimate, false};
}

Measured depthwise_of_bytes(int64_t kernel, int64_t channels, int64_t side) {
  Rig rig;
  Random random(1);
  const int64_t extent = side + kernel - 1;
  const TensorValue x = random_bytes(random, {1, extent, extent, channels}),
                    w = random_bytes(random, {1, kernel, kernel, channels}),
                    y = random_bytes(random, {1, side, side, channels});
  const TensorValue terms = tensor_of<int32_t>(
      ir::DType::kInt32, {4, channels}, std::vector<int32_t>(static_cast<size_t>(4 * channels), 3));
  presil_dsp_depthwise_i8 p{};
  p.window.stride_h = p.window.stride_w = p.window.dilation_h = p.window.dilation_w = 1;
  p.act_min = -128, p.act_max = 127;
  const Ran ran = rig.run("depthwise_conv2d_i8", {{x, {}}, {w, {}}, {terms, {}}}, {{y, {}}}, p);
  const auto pixels = static_cast<uint64_t>(side * side), c = static_cast<uint64_t>(channels),
             taps = pixels * static_cast<uint64_t>(kernel * kernel);
  return {"depthwise_conv2d_i8",
          std::to_string(kernel) + " x " + std::to_string(kernel) + ", " +
              std::to_string(channels) + " channels, " + std::to_string(side) + " x " +
              std::to_string(side),
          "product",
          taps * c,
          cycles_of(ran),
          16.0 / static_cast<double>(std::min<int64_t>(channels, 64)),
          presil_dsp_cycles_depthwise_i8(pixels, c, taps),
          false};
}

Measured top_k(int64_t rows, int64_t n, int64_t k) {
  Rig rig;
  Random random(1);
  const TensorValue x = random_floats(random, {rows, n}, -9, 9);
  const Ran ran = rig.run(
      "top_k", {{x, {}}},
      {{{ir::DType::kFloat32, {rows, k}, {}}, {}}, {{ir::DType::kInt32, {rows, k}, {}}, {}}},
      presil_dsp_top_k{});
  const auto r = static_cast<uint64_t>(rows), c = static_cast<uint64_t>(n),
             most = static_cast<uint64_t>(k);
  return {"top_k",
          std::to_string(k) + " of " + std::to_string(n),
          "element",
          r * c,
          cycles_of(ran),
          1.4 + 52.0 * static_cast<double>(k) / static_cast<double>(n),
          presil_dsp_cycles_top_k(r, c, most),
          false};
}

}  // namespace

std::vector<Measured> measure_image() {
  const presil_dsp_window same{1, 1, 1, 1, 1, 1, 1, 0.0f, 6.0f};
  const presil_dsp_window valid{1, 1, 1, 1, 0, 0, 1, -INFINITY, INFINITY};
  std::vector<Measured> list;
  list.push_back(of("conv2d_f32", "3 x 3, 32 to 64 channels, 8 x 8",
                    {{1, 8, 8, 32}, {64, 3, 3, 32}, {64}}, {1, 8, 8, 64}, {1, 6144, 2048, 64}, same,
                    484 * 32 * 64, "product", 0.125,
                    presil_dsp_cycles_conv2d_f32(64, 64, 484, 32, 8)));
  list.push_back(of("conv2d_f32", "1 x 1, 64 to 128 channels, 8 x 8",
                    {{1, 8, 8, 64}, {128, 1, 1, 64}, {128}}, {1, 8, 8, 128}, {1, 8192, 8192, 128},
                    valid, 64 * 128 * 64, "product", 0.125,
                    presil_dsp_cycles_conv2d_f32(64, 128, 64, 64, 8)));
  list.push_back(of("conv2d_f32", "3 x 3, 16 to 16 channels, 24 x 24",
                    {{1, 24, 24, 16}, {16, 3, 3, 16}, {16}}, {1, 24, 24, 16}, {1, 768, 256, 16},
                    same, 4900 * 16 * 16, "product", 0.125,
                    presil_dsp_cycles_conv2d_f32(576, 16, 4900, 16, 24)));
  list.push_back(of("conv2d_f32", "3 x 3, 3 to 4 channels, 24 x 24",
                    {{1, 24, 24, 3}, {4, 3, 3, 3}, {4}}, {1, 24, 24, 4}, {1, 36, 12, 4}, same,
                    4900 * 3 * 4, "product", 0.25,
                    presil_dsp_cycles_conv2d_f32(576, 4, 4900, 3, 24)));
  list.push_back(of("depthwise_conv2d_f32", "3 x 3, 64 channels, 16 x 16",
                    {{1, 16, 16, 64}, {1, 3, 3, 64}, {64}}, {1, 16, 16, 64}, {}, same, 2116 * 64,
                    "product", 0.25,
                    presil_dsp_cycles_taps_f32(256, 64, 2116, PRESIL_DSP_PIXEL_DEPTHWISE)));
  list.push_back(of("pool_f32", "2 x 2 average, 64 channels, 15 x 15", {{1, 16, 16, 64}},
                    {1, 15, 15, 64}, {}, presil_dsp_pool_f32{valid, 2, 2, 1}, 225 * 64 * 4, "tap",
                    0.63, presil_dsp_cycles_taps_f32(225, 64, 900, PRESIL_DSP_PIXEL_AVERAGE)));
  list.push_back(top_k(1, 1001, 5));
  list.push_back(top_k(1, 2000, 100));
  list.push_back(depthwise_of_bytes(20, 64, 1));
  list.push_back(depthwise_of_bytes(17, 32, 4));
  list.push_back(depthwise_of_bytes(3, 96, 8));
  return list;
}

}  // namespace presil::dsp
