// Checks that the convolutions share.
#pragma once

#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {

/// Tensors of every kernel with weights: x, weights, bias, multiplier, shift, y.
enum : uint32_t { kX, kWeights, kBias, kMultiplier, kShift, kY, kConvTensors };

inline void check_channel_parameters(Check& c, uint32_t channels) {
  c.dtype(kX, PRESIL_INT8);
  c.dtype(kWeights, PRESIL_INT8);
  c.dtype(kBias, PRESIL_INT32);
  c.dtype(kMultiplier, PRESIL_INT32);
  c.dtype(kShift, PRESIL_INT8);
  c.dtype(kY, PRESIL_INT8);
  for (uint32_t i = kBias; i <= kShift; ++i) c.elements(i, channels);
}

template <class A>
void check_zeros_and_clamp(const A& a, Check& c) {
  if (a.rule != PRESIL_RULE_ONCE) {
    c.range("rule", a.rule, PRESIL_RULE_DOUBLE, PRESIL_RULE_DOUBLE_UP);
  }
  c.range("in_zero", a.in_zero, -128, 127);
  c.range("weight_zero", a.weight_zero, -128, 127);
  c.range("out_zero", a.out_zero, -128, 127);
  c.clamp(a.act_min, a.act_max);
}

/// Ranks, batch, strides, dilations, padding.
inline void check_conv_window(const Task& task, Check& c) {
  c.rank(kX, 4);
  c.rank(kWeights, 4);
  c.rank(kY, 4);
  if (!c.ok()) return;
  c.dim(kY, 0, task[kX].shape[0]);
  const auto a = task.as<presil_conv_attributes>();
  c.range("stride_h", a.stride_h, 1, 65535);
  c.range("stride_w", a.stride_w, 1, 65535);
  c.range("dilation_h", a.dilation_h, 1, 65535);
  c.range("dilation_w", a.dilation_w, 1, 65535);
  c.range("pad_top", a.pad_top, 0, 65535);
  c.range("pad_left", a.pad_left, 0, 65535);
  c.range("groups", a.groups, 1, task[kX].shape[3]);
}

inline void check_conv(const Task& task, Check& c) {
  check_conv_window(task, c);
  if (!c.ok()) return;
  check_channel_parameters(c, task[kY].shape[3]);
  check_zeros_and_clamp(task.as<presil_conv_attributes>(), c);
}

/// The taps k with 0 <= first + k * dilation < size, as a range of k.
struct Taps {
  int64_t begin, end;
};
inline Taps taps_inside(int64_t first, int64_t dilation, int64_t taps, int64_t size) {
  Taps t{0, taps};
  while (t.begin < t.end && first + t.begin * dilation < 0) ++t.begin;
  while (t.end > t.begin && first + (t.end - 1) * dilation >= size) --t.end;
  return t;
}

/// The result of one sum, from the channel's parameters.
template <class A>
int8_t requantise(const Task& task, const A& a, uint32_t channel, int32_t acc) {
  const int32_t v = apply_rule(a.rule, acc, task.data<const int32_t>(kMultiplier)[channel],
                               task.data<const int8_t>(kShift)[channel]);
  return finish(v, a.out_zero, a.act_min, a.act_max);
}

}  // namespace presil::kernels
