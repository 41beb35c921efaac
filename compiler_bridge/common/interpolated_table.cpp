#include "compiler_bridge/common/interpolated_table.h"

#include <algorithm>
#include <cmath>

namespace presil::common {
namespace {

constexpr float kSteps = 65535.0f;  // from the lowest int16 to the highest
constexpr float kUnitStep = 2.0f / kSteps;

int16_t stored(float v) {
  return static_cast<int16_t>(std::clamp(v, -32768.0f, 32767.0f));
}

// A piece begins below the curve by half of what its middle lies above it (the chord of a curve
// that bends upwards does): so the error is spread over both sides. All in float32.
template <class F>
InterpolatedTable tabulated(float first, float last, float y_step, const F& f) {
  const float per_unit = 65536.0f / (y_step * 32767.0f - y_step * -32768.0f);
  const float width = (last - first) / 512;
  InterpolatedTable table{};
  for (size_t i = 0; i < 512; ++i) {
    const float left = first + static_cast<float>(i) * width;
    const float right = first + static_cast<float>(i + 1) * width;
    const float at_left = std::round(f(left) * per_unit);
    const float of_chord = std::round((f(right) * per_unit + at_left) / 2);
    const float of_curve = std::round(f(left + width / 2) * per_unit);
    table[i] = stored(at_left - std::round((of_chord - of_curve) / 2));
  }
  table.back() = stored(std::round(f(last) * per_unit));
  return table;
}

}  // namespace

InterpolatedTable exponential_table() {
  return tabulated(10.0f / kSteps * -kSteps, 0.0f, kUnitStep, [](float v) { return std::exp(v); });
}

InterpolatedTable reciprocal_table() {
  return tabulated(0.0f, 1.0f / kSteps * kSteps, kUnitStep,
                   [](float v) { return 1.0f / (1.0f + v); });
}

InterpolatedTable function_table(float x_scale, float y_scale,
                                 const std::function<float(float)>& f) {
  return tabulated(x_scale * -32768.0f, x_scale * 32767.0f, y_scale, f);
}

}  // namespace presil::common
