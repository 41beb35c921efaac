// The mean over some axes, n values each, with a scale of its own.
// tflite (TFLite Micro mean): Scale of s_x / s_y in double, then 1 / n goes into it:
//   k = min(floor(log2 n), 32, 31 + shift); multiplier = (multiplier << k) / n truncating, shift -=
//   k; y = multiply(sum - n * z_x, that) + z_y, saturated.
// xnnpack: round_even(float32(sum - n * z_x) * float32(s_x / float32(s_y * n)) + float32(z_y)),
//   saturated: a half goes to the even stored value, whatever z_y is.
#include <algorithm>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_point.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {

void mean(const Case& c) {
  if (c.floats()) return mean_float(c);
  const auto& a = c.attributes<ir::Mean>();
  const auto &qx = c.in().quantization, &qy = c.out().quantization;
  // Sums in a tensor of x's rank whose reduced axes have stride 0.
  std::vector<int64_t> kept = c.in().shape;
  for (int64_t axis : a.axes) kept[static_cast<size_t>(axis)] = 1;
  std::vector<int64_t> strides = strides_of(kept);
  for (int64_t axis : a.axes) strides[static_cast<size_t>(axis)] = 0;
  std::vector<int64_t> sums(static_cast<size_t>(c.out().elements()), 0);
  const int8_t* x = c.read<int8_t>();
  for_each_index(c.in().shape, [&](const std::vector<int64_t>& index) {
    sums[static_cast<size_t>(offset(index, strides))] += *x++;
  });
  const int64_t n = c.in().elements() / c.out().elements();

  Scale scale = to_scale(static_cast<double>(qx.scale()) / static_cast<double>(qy.scale()));
  int floor_log2 = 0;
  while (n >> (floor_log2 + 1) != 0) ++floor_log2;
  const int k = std::min({floor_log2, 32, 31 + scale.shift});
  scale.multiplier =
      static_cast<int32_t>(static_cast<int64_t>(scale.multiplier) * (int64_t{1} << k) / n);
  scale.shift -= k;
  const float factor = qx.scale() / (qy.scale() * static_cast<float>(n));

  int8_t* y = c.write<int8_t>();
  for (int64_t sum : sums) {
    const auto centred = static_cast<int32_t>(sum - n * qx.zero_point());
    const float zero = static_cast<float>(qy.zero_point());
    *y++ = to_int8(c.tflite() ? clamp(multiply(centred, scale), -512, 512) + qy.zero_point()
                              : round_even(static_cast<float>(centred) * factor + zero));
  }
}

}  // namespace presil::reference::operators
