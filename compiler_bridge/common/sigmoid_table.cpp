#include "compiler_bridge/common/sigmoid_table.h"

#include <cmath>

namespace presil::common {

std::array<int32_t, 256> sigmoid_table() {
  std::array<int32_t, 256> table{};
  for (size_t i = 0; i < table.size(); ++i) {
    const double s = 1 / (1 + std::exp(-static_cast<double>(i) / 24));
    const double curvature = s * (1 - s) * (1 - 2 * s);  // the second derivative
    table[i] = static_cast<int32_t>(std::lround(65536 * (s - curvature / (16 * 24 * 24))));
  }
  table.back() = 65535;
  return table;
}

SigmoidSteps sigmoid_steps(float scale, bool tanh) {
  const double exponent = std::log2(static_cast<double>(scale));
  const auto power = static_cast<int>(std::lround(exponent));
  const bool taken_for_power = std::fabs(exponent - power) < 1e-3;
  if (taken_for_power && (power == -12 || (tanh && power == -11))) return {3 << (power + 12), 0};
  double real = static_cast<double>(scale) * 4096 * 3;
  SigmoidSteps steps;
  while (real <= 16383.5 && steps.shift < 31) real *= 2, ++steps.shift;
  steps.multiplier = static_cast<int32_t>(real);
  return steps;
}

}  // namespace presil::common
