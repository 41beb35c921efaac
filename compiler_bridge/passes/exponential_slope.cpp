#include "compiler_bridge/passes/exponential_slope.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler_bridge/common/exponential.h"

namespace presil::passes {
namespace {

/// Below the first all exponentials are within 2 % of 1, which says too little of the slope. From
/// the last on all but the first are 0.
constexpr float kLeast = 0x1p-14f, kMost = 32.0f;
constexpr int kMostSteps = 1 << 8;  ///< of the last digit, up and down

bool makes(const ir::Op& op, float slope, const Exponentials& e) {
  const std::vector<int32_t> made =
      common::FixedSoftmax(op, static_cast<double>(slope)).exponentials();
  for (size_t d = 0; d < e.size(); ++d) {
    if (static_cast<uint32_t>(made[static_cast<uint8_t>(256 - d)]) != e[d]) return false;
  }
  return true;
}

/// From the exponential nearest to 1/e, whose logarithm divided by its distance is most exact.
float estimate(const Exponentials& e) {
  const double one = 0x1p31;
  size_t d = 1;
  while (d < e.size() - 1 && e[d] > one / std::exp(1.0)) ++d;
  if (d > 1 && e[d] == 0) --d;
  if (e[d] == 0) return kMost;
  return static_cast<float>(-std::log(e[d] / one) / static_cast<double>(d));
}

}  // namespace

std::optional<float> slope_of(const ir::Op& op, const Exponentials& e) {
  const float middle = estimate(e);
  float up = middle, down = middle;
  for (int i = 0; i <= kMostSteps; ++i) {
    for (const float slope : {up, down}) {
      if (slope >= kLeast && slope <= kMost && makes(op, slope, e)) return slope;
    }
    up = std::nextafter(up, std::numeric_limits<float>::max());
    down = std::nextafter(down, 0.0f);
  }
  return std::nullopt;
}

}  // namespace presil::passes
