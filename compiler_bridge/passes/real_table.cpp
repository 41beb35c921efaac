#include "compiler_bridge/passes/real_table.h"

#include <cmath>
#include <limits>

#include "compiler_bridge/passes/tabulate.h"

namespace presil::passes {
namespace {

// To whole steps, halves away from zero; far outside all saturate alike.
int64_t steps(float v) {
  if (std::isnan(v)) return -1024;
  return std::lround(std::clamp(v, -1024.0f, 1024.0f));
}

// y's scale is divided by as a product with its float32 reciprocal.
template <class F>
Int8Table real_table(const Quantization& x, const Quantization& y, F&& f) {
  const float per_step = 1.0f / y.scale();
  return tabulate([&](int q) {
    const float real = x.scale() * static_cast<float>(q - x.zero_point());
    return steps(f(real) * per_step) + y.zero_point();
  });
}

// f in double, its result in float32.
template <class F>
Int8Table smooth(const Quantization& x, const Quantization& y, F&& f) {
  return real_table(x, y, [&](float v) { return static_cast<float>(f(static_cast<double>(v))); });
}

common::FixedPoint ratio(const ir::Op& op, const Quantization& x, const Quantization& y,
                         bool in_double) {
  const float quotient = x.scale() / y.scale();
  return common::fixed_point(
      op, in_double ? static_cast<double>(x.scale()) / static_cast<double>(y.scale()) : quotient);
}

// 1 / sqrt(v), v in 1..255, as multiplier and shift. With v = w * 4^-pairs, 2^27 <= w < 2^29, five
// Newton steps t = 1.5 * t - w/4 * t^3 from 1, all of 28 fraction bits; then half the root of 2.
common::FixedPoint inverse_root(int64_t v) {
  if (v == 1) return {std::numeric_limits<int32_t>::max(), 0};
  int pairs = 0;
  for (; v < int64_t{1} << 27; v *= 4) ++pairs;
  const int64_t half = rounded_right(v / 2, 1);
  int64_t t = int64_t{1} << 28;
  for (int step = 0; step < 5; ++step) {
    const int64_t cube = saturated(high_product(high_product(t, t), t) * 64, 32);
    const int64_t longer = high_product(3 * (int64_t{1} << 27), t);
    t = saturated((longer - high_product(half, cube)) * 8, 32);
  }
  const int64_t half_root_of_2 = 1518500250;  // of 31 fraction bits
  return {static_cast<int32_t>(high_product(t, half_root_of_2)), pairs - 11};
}

}  // namespace

Int8Table exp_table(const Quantization& x, const Quantization& y) {
  return smooth(x, y, [](double v) { return std::exp(v); });
}

Int8Table log_table(const Quantization& x, const Quantization& y) {
  return smooth(x, y, [](double v) { return v > 0 ? std::log(v) : -1e30; });
}

Int8Table sqrt_table(const Quantization& x, const Quantization& y) {
  const float per_step = 1.0f / y.scale();
  return tabulate([&](int q) {
    const float real = x.scale() * static_cast<float>(std::max(q - x.zero_point(), 0));
    return static_cast<int64_t>(std::min(std::sqrt(real) * per_step, 1024.0f)) + y.zero_point();
  });
}

Int8Table elu_table(const Quantization& x, const Quantization& y, Numerics numerics) {
  if (!ir::by_fixed_point(numerics)) {
    // To the nearest even with the zero point already added.
    const float per_step = 1.0f / y.scale();
    return tabulate([&](int q) {
      const float real = x.scale() * static_cast<float>(q - x.zero_point());
      const float value =
          real < 0 ? static_cast<float>(std::expm1(static_cast<double>(real))) : real;
      const float stored = value * per_step + static_cast<float>(y.zero_point());
      return static_cast<int64_t>(std::nearbyint(std::clamp(stored, -1024.0f, 1024.0f)));
    });
  }
  return real_table(x, y, [](float v) {
    return v < 0 ? static_cast<float>(std::exp(static_cast<double>(v))) - 1.0f : v;
  });
}

Int8Table gelu_table(const Quantization& x, const Quantization& y, bool approximate) {
  return real_table(x, y, [approximate](float v) {
    if (approximate) {
      const float inner = 0.79788456f * (v + 0.044715f * v * v * v);  // sqrt(2 / pi)
      return 0.5f * v * (1.0f + static_cast<float>(std::tanh(static_cast<double>(inner))));
    }
    const float inner = v * -0.70710678f;  // 1 / sqrt(2)
    return 0.5f * v * static_cast<float>(std::erfc(static_cast<double>(inner)));
  });
}

// Both factors carry 20 bits more between them.
Int8Table rsqrt_table(const ir::Op& op, const Quantization& x, const Quantization& y,
                      Numerics numerics) {
  const float product = std::sqrt(x.scale()) * y.scale();
  const double wide = std::sqrt(static_cast<double>(x.scale())) * static_cast<double>(y.scale());
  common::FixedPoint to_y =
      common::fixed_point(op, 1.0 / (ir::by_fixed_point(numerics) ? wide : product));
  to_y.shift -= 20;
  return tabulate([&](int q) -> int64_t {
    const int64_t v = q - x.zero_point();
    if (v <= 0) return 127;
    common::FixedPoint root = inverse_root(v);
    root.shift += 20;
    const int64_t fine = scaled_twice(1, root);
    return (to_y.shift < -31 ? 0 : scaled_twice(fine, to_y)) + y.zero_point();
  });
}

Int8Table abs_table(const ir::Op& op, const Quantization& x, const Quantization& y,
                    Numerics numerics) {
  const common::FixedPoint scale = ratio(op, x, y, ir::by_fixed_point(numerics));
  return tabulate(
      [&](int q) { return scaled_twice(std::abs(q - x.zero_point()), scale) + y.zero_point(); });
}

Int8Table prelu_table(const ir::Op& op, const Quantization& x, const Quantization& y,
                      const Quantization& alpha, int stored, Numerics numerics) {
  const bool tflite = ir::by_fixed_point(numerics);
  const common::FixedPoint above = ratio(op, x, y, tflite);
  const float product = x.scale() * alpha.scale();
  const float quotient = product / y.scale();
  const double wide = static_cast<double>(x.scale()) * static_cast<double>(alpha.scale()) /
                      static_cast<double>(y.scale());
  const common::FixedPoint below = common::fixed_point(op, tflite ? wide : quotient);
  const int slope = stored - alpha.zero_point();
  return tabulate([&](int q) {
    const int64_t v = q - x.zero_point();
    return (v >= 0 ? scaled_twice(v, above) : scaled_twice(v * slope, below)) + y.zero_point();
  });
}

Int8Table neg_table() {
  return tabulate([](int q) { return q == -128 ? q : -q; });
}

Int8Table clamp_table(const ir::Op& op, const Quantization& x, const Quantization& y, float low,
                      float high) {
  const common::FixedPoint scale = ratio(op, x, y, false);
  const int64_t least = y.zero_point() + steps(low / y.scale());
  const int64_t most = y.zero_point() + steps(high / y.scale());
  return tabulate([&](int q) {
    return std::clamp(scaled_twice(q - x.zero_point(), scale) + y.zero_point(), least, most);
  });
}

}  // namespace presil::passes
