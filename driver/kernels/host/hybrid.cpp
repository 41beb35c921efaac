#include "driver/kernels/host/hybrid.h"

#include "driver/kernels/host/arithmetic.h"

namespace presil::kernels {
namespace {

struct HybridRange {
  float low = 0.0f, high = 0.0f;
};

HybridRange range_of(const float* x, uint64_t n) {
  HybridRange r;
  for (uint64_t i = 0; i < n; ++i) {
    r.low = min_number(r.low, x[i]), r.high = max_number(r.high, x[i]);
  }
  return r;
}

double magnitude_of(double v) {
  return v < 0 ? -v : v;
}

/// Halves away from zero, within -128..127; what is no number is -128.
int32_t zero_away(double z) {
  if (!(z > -128.0)) return -128;
  if (z > 127.0) return 127;
  const int32_t whole = static_cast<int32_t>(z);
  const double rest = z - whole;
  return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole;
}

/// A half is added, which rounds, before the fraction is dropped.
int32_t cut(float steps) {
  const float sum = steps + with_sign(0.5f, steps);
  return static_cast<int32_t>(sum < -1024.0f ? -1024.0f : sum > 1024.0f ? 1024.0f : sum);
}

/// z + steps, within low..127, without an overflow on the way.
int8_t byte_of(int32_t steps, int32_t zero, int32_t low) {
  return static_cast<int8_t>(clamp(clamp(steps, -1024, 1024) + zero, low, 127));
}

HybridInput symmetric(const float* x, uint64_t n, int8_t* q) {
  float most = 0.0f;
  for (uint64_t i = 0; i < n; ++i) most = max_number(most, magnitude(x[i]));
  const float inverse = most > 0.0f ? 127.0f / most : 0.0f;
  for (uint64_t i = 0; i < n; ++i) {
    const float steps = x[i] * inverse;
    q[i] = byte_of(is_nan(steps) ? 0 : cut(steps), 0, -127);
  }
  return {most > 0.0f ? most / 127.0f : 1.0f, 0};
}

HybridInput asymmetric(const float* x, uint64_t n, int8_t* q) {
  const HybridRange range = range_of(x, n);
  const float span = range.high - range.low;
  HybridInput in;
  float inverse = 0.0f;
  if (span != 0.0f) {
    const double step = static_cast<double>(span) / 255.0;
    const double low = static_cast<double>(range.low) / step;
    const double high = static_cast<double>(range.high) / step;
    const bool from_low = 128.0 + magnitude_of(low) < 127.0 + magnitude_of(high);
    in.zero = zero_away(from_low ? -128.0 - low : 127.0 - high);
    in.scale = static_cast<float>(step);
    inverse = 1.0f / in.scale;
  }
  for (uint64_t i = 0; i < n; ++i) {
    const float steps = x[i] * inverse;
    q[i] = byte_of(is_nan(steps) ? 0 : cut(steps), in.zero, -128);
  }
  return in;
}

HybridInput qd8(const float* x, uint64_t n, int8_t* q) {
  const HybridRange range = range_of(x, n);
  const float span = range.high - range.low;
  const float per_step = span == 0.0f ? 1.0f : 255.0f / span;
  const float low = range.low * per_step, high = range.high * per_step;
  const bool from_low = (-128.0f + low) + (127.0f + high) > 0.0f;
  const float zero = from_low ? -128.0f - low : 127.0f - high;
  const int32_t z = clamp(round_even(zero), -128, 127);
  for (uint64_t i = 0; i < n; ++i) {
    const float steps = x[i] * per_step;
    q[i] = byte_of(is_nan(steps) ? 0 : round_even(steps), z, -128);
  }
  return {1.0f / per_step, z};
}

}  // namespace

HybridInput hybrid_input(uint32_t input, const float* x, uint64_t n, int8_t* q) {
  if (input == PRESIL_HYBRID_SYMMETRIC) return symmetric(x, n, q);
  if (input == PRESIL_HYBRID_ASYMMETRIC) return asymmetric(x, n, q);
  return qd8(x, n, q);
}

float hybrid_result(uint32_t order, int32_t acc, float s, float s_w, float bias, int64_t channel,
                    int64_t channels) {
  const float sum = static_cast<float>(acc);
  if (order == PRESIL_HYBRID_BOTH_SCALES) return sum * (s * s_w) + bias;
  if (order == PRESIL_HYBRID_FUSED) return fused(sum * s, s_w, bias);
  const bool last = order == PRESIL_HYBRID_IN_FOURS && channel >= channels / 4 * 4;
  return last ? sum * s * s_w + bias : sum * s_w * s + bias;
}

void check_hybrid(const Task& task, Check& c) {
  if (!c.count(kHybridY + 1)) return;
  c.dtype(kHybridX, PRESIL_FLOAT32);
  c.dtype(kHybridW, PRESIL_INT8);
  c.dtype(kHybridBias, PRESIL_FLOAT32);
  c.dtype(kHybridScale, PRESIL_FLOAT32);
  c.dtype(kHybridBytes, PRESIL_INT8);
  c.dtype(kHybridY, PRESIL_FLOAT32);
  c.elements(kHybridBytes, presil_tensor_elements(&task[kHybridX]));
  c.elements(kHybridScale, presil_tensor_elements(&task[kHybridBias]));
  const auto a = task.as<presil_hybrid_attributes>();
  c.range("input", a.input, 0, PRESIL_HYBRID_INPUTS - 1);
  c.range("order", a.order, 0, PRESIL_HYBRID_ORDERS - 1);
  check_bounds(a.low, a.high, c);
}

void check_hybrid_window(const Task& task, Check& c) {
  check_hybrid(task, c);
  if (!c.ok()) return;
  c.rank(kHybridX, 4);
  c.rank(kHybridW, 4);
  c.rank(kHybridY, 4);
  if (!c.ok()) return;
  const auto a = task.as<presil_hybrid_attributes>();
  c.dim(kHybridY, 0, task[kHybridX].shape[0]);
  c.elements(kHybridBias, task[kHybridY].shape[3]);
  c.range("stride_h", a.stride_h, 1, 65535);
  c.range("stride_w", a.stride_w, 1, 65535);
  c.range("dilation_h", a.dilation_h, 1, 65535);
  c.range("dilation_w", a.dilation_w, 1, 65535);
  c.range("pad_top", a.pad_top, 0, 65535);
  c.range("pad_left", a.pad_left, 0, 65535);
  c.range("groups", a.groups, 1, task[kHybridX].shape[3]);
}

}  // namespace presil::kernels
