// int16 softmax over the last axis, y in steps of 2^-15 (TFLite Micro's softmax of int16).
//   E tabulates exp from -10 to 0, R tabulates 1 / (1 + v) from 0 to 1 (interpolated.h);
//   d = multiply(x - largest x of the row, Scale of beta * s_x / (10 / 65535) in double),
//   e = E(d + 32767, within int16), sum = all e of the row; with h leading zeros of sum as 32 bits,
//   r = R((((sum << (h - 1)) + 2^13) >> 14) - 2^16 - 2^15, within int16),
//   y = (e * r + 2^(30 - h)) >> (31 - h), within 0..32767.
#include <algorithm>
#include <cmath>

#include "compiler_bridge/reference/fixed_point.h"
#include "compiler_bridge/reference/int16.h"
#include "compiler_bridge/reference/interpolated.h"

namespace presil::reference {

void softmax_int16(const Case& c) {
  constexpr float kTenth = 10.0f / 65535.0f, kUnit = 1.0f / 65535.0f;
  const Interpolated exponential(kTenth * -65535.0f, 0.0f, [](float v) { return std::exp(v); });
  const Interpolated reciprocal(0.0f, kUnit * 65535.0f, [](float v) { return 1.0f / (1.0f + v); });
  const double steepness = static_cast<double>(c.in().quantization.scale()) *
                           static_cast<double>(c.attributes<ir::Softmax>().beta);
  const Scale scale = to_scale(steepness / (10.0 / 65535.0));
  const int64_t depth = c.in().shape.back();
  for (int64_t row = 0; row < c.in().elements() / depth; ++row) {
    const int16_t* x = c.read<int16_t>() + row * depth;
    int16_t* y = c.write<int16_t>() + row * depth;
    const int32_t largest = *std::max_element(x, x + depth);
    const auto e = [&](int64_t i) {
      const int64_t d = int64_t{multiply(x[i] - largest, scale)} + 32767;
      return int64_t{exponential(static_cast<int32_t>(std::max<int64_t>(d, -32768)))};
    };
    int64_t sum = 0;
    for (int64_t i = 0; i < depth; ++i) sum += e(i);
    int zeros = 0;  // sum is not 0: e of the largest is 32767
    while ((sum << zeros >> 31) == 0) ++zeros;
    const int64_t mantissa = ((sum << (zeros - 1)) + (1 << 13)) >> 14;
    const int64_t fraction = mantissa - (1 << 16) - (1 << 15);
    const int64_t inverse =
        reciprocal(static_cast<int32_t>(std::clamp<int64_t>(fraction, -32768, 32767)));
    const int right = 31 - zeros;
    for (int64_t i = 0; i < depth; ++i) {
      const int64_t share = (e(i) * inverse + (int64_t{1} << (right - 1))) >> right;
      y[i] = static_cast<int16_t>(std::clamp<int64_t>(share, 0, 32767));
    }
  }
}

}  // namespace presil::reference
