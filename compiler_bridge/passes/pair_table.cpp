#include "compiler_bridge/passes/pair_table.h"

#include <cmath>
#include <cstring>
#include <functional>

#include "compiler_bridge/common/standard_pair.h"
#include "compiler_bridge/passes/tabulate.h"

namespace presil::passes {
namespace {

using Pair = std::function<int64_t(int64_t a, int64_t b)>;  ///< before zero point and clamp

// Both on one grid, 2^left_shift finer.
int64_t sum_on_grid(const common::ElementWiseScales& s, int64_t a, int64_t b, int sign) {
  const int64_t grid = int64_t{1} << s.left_shift;
  const int64_t fine_a = scaled_twice((a - s.a_zero) * grid, {s.a_mult, s.a_shift});
  const int64_t fine_b = scaled_twice((b - s.b_zero) * grid, {s.b_mult, s.b_shift});
  return fine_a + sign * fine_b;
}

// Then onto y's.
Pair sum_tflite(const common::ElementWiseScales& s, int sign) {
  return [=](int64_t a, int64_t b) {
    return scaled_twice(sum_on_grid(s, a, b, sign), {s.out_mult, s.out_shift});
  };
}

// The sign is in b's multiplier; zero points and the rounding half in the constant.
Pair sum_xnnpack(const common::ElementWiseScales& s) {
  return [=](int64_t a, int64_t b) {
    return (a * s.a_mult + b * s.b_mult + s.out_mult) >> s.out_shift;
  };
}

Pair product_tflite(const common::ElementWiseScales& s) {
  return [=](int64_t a, int64_t b) {
    return scaled_twice((a - s.a_zero) * (b - s.b_zero), {s.out_mult, s.out_shift});
  };
}

// The scale is a float32's bits; the product's nearest integer, ties to even.
Pair product_xnnpack(const common::ElementWiseScales& s) {
  float scale = 0;
  std::memcpy(&scale, &s.out_mult, sizeof scale);
  return [=](int64_t a, int64_t b) {
    const float product = static_cast<float>((a - s.a_zero) * (b - s.b_zero)) * scale;
    return static_cast<int64_t>(std::nearbyint(std::clamp(product, -1e9f, 1e9f)));
  };
}

Pair squared_difference(const common::ElementWiseScales& s) {
  return [=](int64_t a, int64_t b) {
    const int64_t difference = sum_on_grid(s, a, b, -1);
    // The square, and its left shift, keep 32 bits.
    const int left = std::max(s.out_shift, 0);
    const auto square = static_cast<uint32_t>(static_cast<uint64_t>(difference * difference));
    return scaled_twice(static_cast<int32_t>(square << left), {s.out_mult, s.out_shift - left});
  };
}

bool plain_int8(const ir::Tensor& tensor) {
  return tensor.dtype == ir::DType::kInt8 && tensor.quantization.per_tensor();
}

}  // namespace

namespace {

bool is_choice(ir::OpKind kind) {
  return kind == ir::OpKind::kMaximum || kind == ir::OpKind::kMinimum;
}

Int8Table choice_table(ir::OpKind kind, const Int8Table& a, const Int8Table& b) {
  Int8Table table{};
  for (size_t q = 0; q < table.size(); ++q) {
    table[q] = kind == ir::OpKind::kMaximum ? std::max(a[q], b[q]) : std::min(a[q], b[q]);
  }
  return table;
}

Int8Table tabulated(const Pair& value, const common::ElementWiseScales& s, const Int8Table& a,
                    const Int8Table& b) {
  Int8Table table{};
  for (size_t q = 0; q < table.size(); ++q) {
    const int64_t v = value(a[q], b[q]) + s.out_zero;
    table[q] = static_cast<int8_t>(std::clamp<int64_t>(v, s.clamp.min, s.clamp.max));
  }
  return table;
}

}  // namespace

bool is_pair(ir::OpKind kind) {
  return kind == ir::OpKind::kAdd || kind == ir::OpKind::kSub || kind == ir::OpKind::kMul ||
         kind == ir::OpKind::kSquaredDifference || is_choice(kind);
}

std::optional<Int8Table> uniform_table(const ir::Tensor& tensor) {
  if (!tensor.is_constant() || !plain_int8(tensor) || tensor.elements() == 0) return std::nullopt;
  const ir::Bytes& bytes = *tensor.data;
  if (std::adjacent_find(bytes.begin(), bytes.end(), std::not_equal_to<>()) != bytes.end()) {
    return std::nullopt;
  }
  Int8Table table{};
  table.fill(static_cast<int8_t>(bytes[0]));
  return table;
}

std::optional<Int8Table> pair_table(const ir::Graph& graph, const ir::Op& op, const Int8Table& a,
                                    const Int8Table& b) {
  const bool product = op.kind == ir::OpKind::kMul, subtract = op.kind == ir::OpKind::kSub;
  if (!is_pair(op.kind)) return std::nullopt;
  const ir::Tensor &ta = graph.tensor(op.input(0)), &tb = graph.tensor(op.input(1));
  const ir::Tensor& y = graph.tensor(op.output());
  if (!plain_int8(ta) || !plain_int8(tb) || !plain_int8(y)) return std::nullopt;
  if (is_choice(op.kind)) return choice_table(op.kind, a, b);
  if (op.kind == ir::OpKind::kSquaredDifference) {
    const common::ElementWiseScales s = common::squared_difference_scales(op, ta, tb, y);
    return tabulated(squared_difference(s), s, a, b);
  }
  if (common::is_standard_pair(graph, op)) {
    Int8Table table{};
    for (size_t q = 0; q < table.size(); ++q) {
      table[q] = common::standard_value(graph, op, a[q], b[q]);
    }
    return table;
  }
  const ir::Numerics numerics = common::numerics_of(graph, op);
  const bool tflite = ir::by_fixed_point(numerics);
  const ir::Activation act = op.as<ir::Elementwise>().act;
  const common::ElementWiseScales s =
      product ? common::mul_scales(op, ta, tb, y, act, numerics)
              : common::add_scales(op, ta, tb, y, subtract, act, numerics);
  const Pair value = product  ? (tflite ? product_tflite(s) : product_xnnpack(s))
                     : tflite ? sum_tflite(s, subtract ? -1 : 1)
                              : sum_xnnpack(s);
  return tabulated(value, s, a, b);
}

}  // namespace presil::passes
