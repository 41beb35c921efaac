#include "compiler_bridge/passes/int8_table.h"

#include <algorithm>
#include <cmath>

#include "compiler_bridge/common/scales.h"

namespace presil::passes {
namespace {

constexpr int kLow = -128, kHigh = 127;

template <class F>
Int8Table tabulate(F&& value_of) {
  Int8Table table{};
  for (int x = kLow; x <= kHigh; ++x) {
    const int64_t y = value_of(x);
    table[static_cast<uint8_t>(x)] = static_cast<int8_t>(std::clamp<int64_t>(y, kLow, kHigh));
  }
  return table;
}

// v * multiplier * 2^(shift - 31), rounded twice: to the doubled high half of the product, then by
// the remaining right shift; halves go away from zero both times (TFLite's rule, dla rule 0). The
// first rounding of a negative product leaves exact halves where they are, above: -0.5 becomes 0.
int64_t scaled_tflite(int64_t v, const common::FixedPoint& scale) {
  const int left = std::max(scale.shift, 0), right = std::max(-scale.shift, 0);
  const int64_t product = (v << left) * scale.multiplier;
  const int64_t half = product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30);
  const int64_t high = (product + half) / (int64_t{1} << 31);
  if (right == 0) return high;
  const int64_t magnitude = (std::abs(high) + (int64_t{1} << (right - 1))) >> right;
  return high < 0 ? -magnitude : magnitude;
}

// XNNPACK carries a ratio as a multiple of 1/256 and rounds halves up.
int64_t scaled_xnnpack(int64_t v, float ratio) {
  return (v * std::lrint(256.0f * ratio) + 128) >> 8;
}

struct Function {
  const ir::Quantization& x;
  const ir::Quantization& y;
  bool tflite;

  int64_t scaled(int64_t v, float ratio) const {
    return tflite ? scaled_tflite(v, common::fixed_point(ratio)) : scaled_xnnpack(v, ratio);
  }
  float ratio() const { return x.scale() / y.scale(); }

  Int8Table leaky_relu(float alpha) const {
    // TFLite multiplies before it divides, XNNPACK after: the float32 results may differ.
    const float below = tflite ? x.scale() * alpha / y.scale() : ratio() * alpha;
    return tabulate([&](int q) {
      const int64_t v = q - x.zero_point();
      return scaled(v, v >= 0 ? ratio() : below) + y.zero_point();
    });
  }
};

}  // namespace

Int8Table requantize_table(const ir::Quantization& x, const ir::Quantization& y,
                           ir::Numerics numerics) {
  const bool tflite = numerics == ir::Numerics::kTflite;
  const double ratio = static_cast<double>(x.scale()) / static_cast<double>(y.scale());
  return tabulate([&](int q) {
    const int64_t v = q - x.zero_point();
    return (tflite ? scaled_tflite(v, common::fixed_point(ratio))
                   : scaled_xnnpack(v, x.scale() / y.scale())) +
           y.zero_point();
  });
}

std::optional<Int8Table> table_of(const ir::Graph& graph, const ir::Op& op) {
  const ir::Tensor &x = graph.tensor(op.input(0)), &y = graph.tensor(op.output());
  if (x.dtype != ir::DType::kInt8 || y.dtype != ir::DType::kInt8) return std::nullopt;
  if (!x.quantization.per_tensor() || !y.quantization.per_tensor()) return std::nullopt;
  const Function f{x.quantization, y.quantization, graph.numerics == ir::Numerics::kTflite};
  switch (op.kind) {
    case ir::OpKind::kQuantize:
      return requantize_table(f.x, f.y, graph.numerics);
    case ir::OpKind::kLeakyRelu:
      return f.leaky_relu(op.as<ir::LeakyRelu>().alpha);
    default:
      return std::nullopt;
  }
}

}  // namespace presil::passes
