#include "compiler_bridge/common/mean_scale.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "compiler_bridge/common/scales.h"

namespace presil::common {
namespace {

constexpr int kMostSteps = 8;  // of float32, away from s

int stored(float rounded_value) {
  return static_cast<int>(std::clamp(rounded_value, -128.0f, 127.0f));
}

struct Sums {
  int64_t low, high;
  int zero;

  bool equal(float scale, float s) const {
    for (int64_t sum = low; sum <= high; ++sum) {
      const auto real = static_cast<float>(sum);
      const float product = real * s, own = real * scale;
      const float defined = std::nearbyint(product + static_cast<float>(zero));
      if (stored(std::nearbyint(own) + static_cast<float>(zero)) != stored(defined)) return false;
    }
    return true;
  }
};

}  // namespace

std::optional<int32_t> scale_before_zero(const ir::Op& op, const ir::Tensor& x, const ir::Tensor& y,
                                         int64_t count) {
  const int32_t defined = op.kind == ir::OpKind::kSum
                              ? sum_scale(op, x, y, ir::Numerics::kXnnpack).multiplier
                              : mean_scale(op, x, y, count, ir::Numerics::kXnnpack).multiplier;
  float s;
  std::memcpy(&s, &defined, sizeof s);
  const int zero = x.quantization.zero_point();
  const Sums sums{count * (-128 - zero), count * (127 - zero), y.quantization.zero_point()};
  float above = s, below = s;
  for (int step = 0; step <= kMostSteps; ++step) {
    for (const float scale : {above, below}) {
      if (!sums.equal(scale, s)) continue;
      int32_t bits;
      std::memcpy(&bits, &scale, sizeof bits);
      return bits;
    }
    above = std::nextafter(above, std::numeric_limits<float>::max());
    below = std::nextafter(below, 0.0f);
  }
  return std::nullopt;
}

}  // namespace presil::common
