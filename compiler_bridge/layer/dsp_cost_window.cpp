// Floats of images and matrices.
#include <algorithm>

#include "compiler_bridge/layer/dsp_cost_family.h"
#include "driver/kernels/dsp/cost.h"

namespace presil::layer {
namespace {

/// Of a product whose `channels`, `groups`, `depth` and whether weights are dense are the arguments
/// from `first` on, by the cost of pixels and taps.
uint64_t product(const CostArguments& a, size_t first, uint64_t pixels, uint64_t taps,
                 uint64_t length) {
  const uint64_t channels = a.at(first), groups = a.at(first + 1), depth = a.at(first + 2);
  const bool dense = a.at(first + 3) != 0;
  const uint64_t own = presil_dsp_cycles_conv2d_f32(pixels, channels / groups, taps, depth, length);
  // Weights that lie apart come one a cycle: for a single pixel as they are, else once for all.
  const uint64_t apart = taps / (pixels == 0 ? 1 : pixels) * depth * channels;
  return own + (groups - 1) * (own - PRESIL_DSP_CYCLES_ENTRY) + (dense ? 0 : apart);
}

/// [pixels, taps and rows of an image, channels, groups, depth, dense]
uint64_t conv2d(const CostArguments& a) {
  const uint64_t columns = a.at(0) / a.at(2);
  return product(a, 3, a.rows * a.at(0) / a.at(2), a.rows * a.at(1) / a.at(2),
                 std::max<uint64_t>(columns, a.rows));
}

/// [pixels and taps of each row, channels, groups, depth, dense]: a row is a call
uint64_t conv2d_by_row(const CostArguments& a) {
  return a.rows * product(a, 2, a.at(0), a.at(1), a.at(0));
}

/// [pixels, taps and rows of an image, channels]
template <uint32_t pixel>
uint64_t per_channel(const CostArguments& a) {
  return presil_dsp_cycles_taps_f32(a.rows * a.at(0) / a.at(2), a.at(3), a.rows * a.at(1) / a.at(2),
                                    pixel);
}

/// [pixels, taps and rows of an image, channels]
uint64_t depthwise_i8(const CostArguments& a) {
  return presil_dsp_cycles_depthwise_i8(a.rows * a.at(0) / a.at(2), a.at(3),
                                        a.rows * a.at(1) / a.at(2));
}

}  // namespace

const std::vector<CostFunction>& window_costs() {
  static const std::vector<CostFunction> all = {
      {"conv2d_f32", conv2d},
      {"conv2d_f32_by_row", conv2d_by_row},
      {"depthwise_conv2d_f32", per_channel<PRESIL_DSP_PIXEL_DEPTHWISE>},
      {"depthwise_conv2d_i8", depthwise_i8},
      {"max_pool_f32", per_channel<PRESIL_DSP_PIXEL_DEPTHWISE>},
      {"average_pool_f32", per_channel<PRESIL_DSP_PIXEL_AVERAGE>},
  };
  return all;
}

}  // namespace presil::layer
