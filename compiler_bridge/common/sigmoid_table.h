// The logistic function in 256 points, for interpolation between them.
#pragma once

#include <array>
#include <cstdint>

namespace presil::common {

/// TFLite's table of sigmoid(i / 24) times 2^16. A chord between two points of the curve lies below
/// it by up to -s'' / (8 * 24^2); every point is lifted by half of that, so that the error of an
/// interpolation is the same on both sides. The last one is 65535, the value that lookups saturate
/// to.
std::array<int32_t, 256> sigmoid_table();

/// x * multiplier / 2^shift, halves up, is what the table is asked for: x's value times 3 * 2^12.
struct SigmoidSteps {
  int32_t multiplier = 0;
  int shift = 0;
};
/// A scale that TFLite takes for 2^-12, of tanh 2^-11 too, is multiplied exactly; else the
/// multiplier has 14 or 15 bits, the rest cut off.
SigmoidSteps sigmoid_steps(float scale, bool tanh);

}  // namespace presil::common
