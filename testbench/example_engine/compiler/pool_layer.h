// What the engine computes for one layer, as the compiler's stages know it: a work
// (compiler_bridge/ layer/work.h) with its text form. The windows alone; a resize has tables
// besides.
#pragma once

#include <cstdint>

#include "compiler_bridge/layer/operand.h"

namespace presil::pool {

struct PoolLayer {
  static constexpr const char* kWord = "pool";
  static constexpr const char* kEngine = "pool";

  enum class Window : uint8_t { kMax, kAverage };
  Window op = Window::kMax;
  bool ties_up = false;
  layer::TensorId input = layer::kNoTensor, output = layer::kNoTensor;
  int in_h = 1, in_w = 1, out_h = 1, out_w = 1, channels = 1;
  int kernel_h = 1, kernel_w = 1, stride_y = 1, stride_x = 1, pad_top = 0, pad_left = 0;
  int clamp_low = -128, clamp_high = 127;

  int blocks() const { return (channels + 15) / 16; }
  layer::Operands operands() const;
  uint64_t weight_bytes() const { return 0; }

  template <class Self, class F>
  static void fields(Self& s, F&& f);
};

/// Once, when the engine is loaded: its text is read from then on.
void know_pool_layers();

}  // namespace presil::pool
