#include "compiler_bridge/reference/dynamic_range.h"

#include <cmath>

#include "compiler_bridge/reference/float_order.h"

namespace presil::reference {
namespace {

/// q - z of steps that are x in units of s, already whole.
int16_t centred(float steps, int low, int high, int zero) {
  if (steps != steps) return 0;
  const float least = static_cast<float>(low - zero), most = static_cast<float>(high - zero);
  return static_cast<int16_t>(std::fmin(std::fmax(steps, least), most));
}

float cut(float steps) {
  return std::trunc(steps + std::copysign(0.5f, steps));
}

struct FloatRange {
  float low = 0.0f, high = 0.0f;
};

FloatRange range_of(const float* x, size_t count) {
  FloatRange range;
  for (size_t i = 0; i < count; ++i) {
    range.low = smaller(range.low, x[i]);
    range.high = larger(range.high, x[i]);
  }
  return range;
}

void symmetric(const float* x, Dynamic& y) {
  float most = 0.0f;
  for (size_t i = 0; i < y.centred.size(); ++i) most = larger(most, std::fabs(x[i]));
  if (most == 0.0f) return;
  const float inverse = 127.0f / most;
  for (size_t i = 0; i < y.centred.size(); ++i) {
    y.centred[i] = centred(cut(x[i] * inverse), -127, 127, 0);
  }
  y.scale = most / 127.0f;
}

void asymmetric(const float* x, Dynamic& y) {
  const FloatRange range = range_of(x, y.centred.size());
  const float span = range.high - range.low;
  if (span == 0.0f) return;
  const double step = static_cast<double>(span) / 255.0;
  const double low = static_cast<double>(range.low) / step;
  const double high = static_cast<double>(range.high) / step;
  const bool from_low = 128.0 + std::fabs(low) < 127.0 + std::fabs(high);
  const double zero = from_low ? -128.0 - low : 127.0 - high;
  const int z = static_cast<int>(std::round(std::fmin(std::fmax(zero, -128.0), 127.0)));
  y.scale = static_cast<float>(step);
  const float inverse = 1.0f / y.scale;
  for (size_t i = 0; i < y.centred.size(); ++i) {
    y.centred[i] = centred(cut(x[i] * inverse), -128, 127, z);
  }
}

void qd8(const float* x, Dynamic& y) {
  const FloatRange range = range_of(x, y.centred.size());
  const float span = range.high - range.low;
  const float per_step = span == 0.0f ? 1.0f : 255.0f / span;
  const float low = range.low * per_step, high = range.high * per_step;
  const float sum = (-128.0f + low) + (127.0f + high);
  const float zero = sum > 0.0f ? -128.0f - low : 127.0f - high;
  const int z = static_cast<int>(std::nearbyint(std::fmin(std::fmax(zero, -128.0f), 127.0f)));
  for (size_t i = 0; i < y.centred.size(); ++i) {
    y.centred[i] = centred(std::nearbyint(x[i] * per_step), -128, 127, z);
  }
  y.scale = 1.0f / per_step;
}

}  // namespace

Dynamic quantised(const float* x, size_t count, DynamicRange how) {
  Dynamic y{std::vector<int16_t>(count, 0), 1.0f};
  if (how == DynamicRange::kSymmetric) symmetric(x, y);
  if (how == DynamicRange::kAsymmetric) asymmetric(x, y);
  if (how == DynamicRange::kQd8) qd8(x, y);
  return y;
}

}  // namespace presil::reference
