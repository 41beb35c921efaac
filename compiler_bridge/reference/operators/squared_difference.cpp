// y = (a - b)^2, int8 or, under tflite, int16 (TFLite Micro's squared_difference; of int8 LiteRT's
// is the same). With s = 2 * max(s_a, s_b), in double, n = 7 for int8 and 0 for int16:
//   a' = multiply((a - z_a) << n, s_a / s), b' likewise, d = a' - b',
//   y = multiply(d * d, s * s / (2^(2n) * s_y)) + z_y, saturated; d * d keeps its low 32 bits.
#include <algorithm>

#include "compiler_bridge/reference/elementwise.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/requantize.h"

namespace presil::reference::operators {
namespace {

template <class T>
void squares(const Case& c) {
  constexpr int32_t kGrid = sizeof(T) == 1 ? 1 << 7 : 1;
  const auto &qa = c.in(0).quantization, &qb = c.in(1).quantization, &qy = c.out().quantization;
  const double a_scale = qa.scale(), b_scale = qb.scale(), y_scale = qy.scale();
  const double twice_larger = 2 * std::max(a_scale, b_scale);
  const Scale scale_a = to_scale(a_scale / twice_larger);
  const Scale scale_b = to_scale(b_scale / twice_larger);
  const Scale scale_y = to_scale(twice_larger * twice_larger / (kGrid * kGrid * y_scale));
  const Range range = range_of(c.out().dtype);
  for_each_pair<T>(c, [&](T a, T b) {
    const int64_t difference = int64_t{multiply((a - qa.zero_point()) * kGrid, scale_a)} -
                               multiply((b - qb.zero_point()) * kGrid, scale_b);
    const auto square = static_cast<int32_t>(static_cast<uint64_t>(difference * difference));
    const int64_t y = int64_t{multiply(square, scale_y)} + qy.zero_point();
    return static_cast<T>(std::clamp<int64_t>(y, range.low, range.high));
  });
}

}  // namespace

void squared_difference(const Case& c) {
  if (c.floats()) return squared_difference_float(c);
  c.out().dtype == ir::DType::kInt16 ? squares<int16_t>(c) : squares<int8_t>(c);
}

}  // namespace presil::reference::operators
