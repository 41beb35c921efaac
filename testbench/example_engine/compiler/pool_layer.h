// What the engine computes for one layer, as the compiler's stages know it: a work
// (compiler_bridge/layer/work.h) with its text form.
#pragma once

#include <cstdint>

#include "compiler_bridge/layer/operand.h"

namespace presil::pool {

struct PoolLayer {
  static constexpr const char* kWord = "pool";
  static constexpr const char* kEngine = "pool";

  enum class Kind : uint8_t { kMax, kAverage, kNearest, kBilinear };
  Kind op = Kind::kMax;
  bool rounds_up = false;  ///< average, bilinear: Rounding::kUp
  layer::TensorId input = layer::kNoTensor, output = layer::kNoTensor;
  int in_h = 1, in_w = 1, out_h = 1, out_w = 1, channels = 1;
  int clamp_low = -128, clamp_high = 127;
  // ---- windows
  int kernel_h = 1, kernel_w = 1, stride_y = 1, stride_x = 1, pad_top = 0, pad_left = 0;
  // ---- resizes
  bool align_corners = false, half_pixel_centers = false;

  bool resizes() const { return op == Kind::kNearest || op == Kind::kBilinear; }
  layer::Operands operands() const;
  uint64_t weight_bytes() const { return 0; }

  template <class Self, class F>
  static void fields(Self& s, F&& f);
};

}  // namespace presil::pool
