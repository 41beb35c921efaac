// What kernels of int16 activations share: sums of int64 that wrap, and their way to int16.
#pragma once

#include "driver/kernels/host/conv.h"

namespace presil::kernels {

/// Rule `wide`. Shifts beyond -31..14 act as the nearest of these.
inline int32_t rule_wide(int64_t x, int32_t multiplier, int shift) {
  const int64_t rounded = (int64_t{multiplier} + (1 << 15)) / (1 << 16);  // >= 0
  const int64_t m = clamp(rounded, 0, INT16_MAX);
  const int n = 15 - static_cast<int>(clamp(shift, -31, 14));
  const uint64_t product = static_cast<uint64_t>(x) * static_cast<uint64_t>(m);
  const auto halved = static_cast<int64_t>(product + (uint64_t{1} << (n - 1)));
  return static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(halved >> n)));
}

/// Rule `once`. The product has 32 bits more than int64: halves of x are multiplied each.
inline int64_t rule_once(int64_t x, int32_t multiplier, int shift) {
  const int n = 31 - static_cast<int>(clamp(shift, -31, 14));
  const int64_t upper = x / 65536 - (x % 65536 < 0 ? 1 : 0), lower = x - upper * 65536;
  const int64_t carried = (lower * multiplier + (int64_t{1} << (n - 1))) >> 16;
  return (upper * multiplier + carried) >> (n - 16);
}

inline int64_t wrap_add64(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

inline void check_wide_parameters(Check& c, uint32_t channels) {
  constexpr uint32_t kTypes[kConvTensors] = {PRESIL_INT16, PRESIL_INT8, PRESIL_INT64,
                                             PRESIL_INT32, PRESIL_INT8, PRESIL_INT16};
  for (uint32_t i = 0; i < kConvTensors; ++i) c.dtype(i, kTypes[i]);
  for (uint32_t i = kBias; i <= kShift; ++i) c.elements(i, channels);
}

/// @param rows  of a fully connected, which has rules of its own beside
template <class A>
void check_wide_attributes(const A& a, Check& c, bool rows = false) {
  const bool of_rows = a.rule == PRESIL_RULE_DOUBLE_UP || a.rule == PRESIL_RULE_ONCE;
  if (a.rule != PRESIL_RULE_WIDE && a.rule != PRESIL_RULE_DOUBLE && !(rows && of_rows)) {
    c.refuse("rule", -1, a.rule, PRESIL_RULE_WIDE);
  }
  c.range("in_zero", a.in_zero, 0, 0);
  c.range("weight_zero", a.weight_zero, 0, 0);
  c.range("out_zero", a.out_zero, 0, 0);
  c.clamp16(a.act_min, a.act_max);
}

/// The result of one sum without its bias.
template <class A>
int16_t requantise_wide(const Task& task, const A& a, uint32_t channel, int64_t sum) {
  const int64_t acc = wrap_add64(task.data<const int64_t>(kBias)[channel], sum);
  const int32_t multiplier = task.data<const int32_t>(kMultiplier)[channel];
  const int shift = task.data<const int8_t>(kShift)[channel];
  int64_t v;
  if (a.rule == PRESIL_RULE_WIDE) {
    v = rule_wide(acc, multiplier, shift);
  } else if (a.rule == PRESIL_RULE_ONCE) {
    v = rule_once(acc, multiplier, shift);
  } else {
    v = apply_rule(a.rule, static_cast<int32_t>(acc), multiplier, shift);
  }
  return static_cast<int16_t>(clamp(v, a.act_min, a.act_max));
}

}  // namespace presil::kernels
