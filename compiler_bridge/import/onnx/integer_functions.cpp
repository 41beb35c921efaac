// Functions of networks of whole numbers, as Deeploy's kernels define them (GELU_s8.c,
// Layernorm_s8.c, Softmax_s8.c): a table, or int32 operators of the host. `/` is towards zero,
// `>>` towards minus infinity.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "compiler_bridge/import/onnx/integers.h"
#include "compiler_bridge/import/onnx/requant_shift.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import::onnx {
namespace {

using K = ir::OpKind;
using D = ir::DType;

ir::Reduce over(const Value& x, int64_t axis, bool keep = true) {
  return {{axis < 0 ? static_cast<int64_t>(x.shape.size()) + axis : axis}, keep};
}

/// Of each row of the last axis one number, whose axis stays.
Value of_rows(Importer& r, K kind, const Value& x) {
  Shape shape = x.shape;
  shape.back() = 1;
  return {r.make(kind, over(x, -1), {x.id}, {}, D::kInt32), shape, false, false};
}

Value bytes_in_order(Importer& r) {
  Value x = r.plain(bytes_of(r, r.in(0)));
  r.require(!x.shape.empty() && x.shape.back() > 0,
            [&] { return "x is " + ir::to_string(x.shape) + ", must have rows"; });
  return x;
}

void check_levels(const Importer& r) {
  const double levels = number(r, "n_levels");
  r.require(levels == 256,
            [&] { return "n_levels is " + std::to_string(levels) + ", must be 256: bytes"; });
}

/// With n of a row, mean = sum(x) / n and q = x - mean: y = (q * weight / root + bias) >> log2(D),
/// root the whole part of the square root of sum(q^2) / n + 1. Limited to -128..127, where
/// Deeploy's C would keep the low byte: its networks do not get there.
void layer_norm(Importer& r) {
  check_levels(r);
  const Value x = bytes_in_order(r);
  const auto width = static_cast<int32_t>(x.shape.back());
  const int places = places_of(r, "D", 2);
  constexpr int64_t kMost = INT32_MAX / 256;  // of a weight: q has 9 bits
  const auto weight = wholes(r, r.tensor(r.in(1)), "weight", -kMost, kMost);
  const auto bias = wholes(r, r.tensor(r.in(2)), "bias", -(1 << 28), 1 << 28);
  r.require(width <= (1 << 14) && places <= 28, [&] {
    return "a row has " + std::to_string(width) + " values, must have 16384 at most; D 2^28";
  });
  for (const auto* list : {&weight, &bias}) {
    r.require(list->size() == static_cast<size_t>(width), [&] {
      return "weight or bias has " + std::to_string(list->size()) + " values, must have " +
             std::to_string(width);
    });
  }
  const ir::TensorId n = row_of(r, {width});
  const Value all = wide(r, x);
  const Value mean = combined(r, K::kIntDiv, of_rows(r, K::kSum, all), n);
  const Value q = combined(r, K::kSub, all, mean.id);
  const Value squares = of_rows(r, K::kSum, combined(r, K::kMul, q, q.id));
  Value variance = combined(r, K::kIntDiv, squares, n);
  variance = combined(r, K::kAdd, variance, row_of(r, {1}));
  // Bytes are 127.5 from their mean at most, and 1 more as that is cut off.
  std::vector<int32_t> roots(129 * 129);
  for (int32_t i = 0, root = 0; i < static_cast<int32_t>(roots.size()); ++i) {
    if ((root + 1) * (root + 1) <= i) ++root;
    roots[static_cast<size_t>(i)] = root;
  }
  const ir::TensorId root =
      r.make(K::kGather, ir::Gather{}, {row_of(r, roots), variance.id}, {}, D::kInt32);
  const std::vector<int32_t> weights(weight.begin(), weight.end());
  Value y = combined(r, K::kIntDiv, combined(r, K::kMul, q, row_of(r, weights)), root);
  // A half less, which the scaling adds.
  std::vector<int32_t> more;
  more.reserve(bias.size());
  for (const int64_t b : bias)
    more.push_back(static_cast<int32_t>(b - (int64_t{1} << (places - 1))));
  y = combined(r, K::kAdd, y, row_of(r, more));
  r.give({rescale(r, y, {{1}, places}, 0, 0, D::kInt8), x.shape, false, true});
}

/// With the row's greatest m: s = (m - x + 16) >> 5, y = (65280 / sum(256 >> s)) >> s, bytes
/// 0..255.
void ita_max(Importer& r) {
  check_levels(r);
  const Value x = bytes_in_order(r);
  r.require(x.shape.back() <= (1 << 20), [&] {
    return "a row has " + std::to_string(x.shape.back()) + " values, must have 1048576 at most";
  });
  const Value all = wide(r, x);
  const Value greatest = of_rows(r, K::kReduceMax, all);
  const Value below = {combined(r, K::kSub, greatest, all.id).id, x.shape, false, false};
  const Value rounded = combined(r, K::kAdd, below, row_of(r, {16}));
  const Value shift = combined(r, K::kShiftRight, rounded, row_of(r, {5}));
  const Value whole = {row_of(r, {256}), {1}, false, false};
  Value parts = combined(r, K::kShiftRight, whole, shift.id);
  parts.shape = x.shape;
  const Value inverse = combined(r, K::kIntDiv, {row_of(r, {255 * 256}), {1}, false, false},
                                 of_rows(r, K::kSum, parts).id);
  Value y = combined(r, K::kShiftRight, inverse, shift.id);
  y.shape = x.shape;
  r.give(narrow(r, y, kUnsigned));
}

/// The nearest whole number to the mean, halves up: floor((2 * sum + n) / 2n).
void integer_mean(Importer& r) {
  const Value x = r.plain(bytes_of(r, r.in(0)));
  const auto axes = r.integers("axes", {});
  r.require(axes.size() == 1, [] { return "axes must be one axis"; });
  const size_t axis = r.axis(axes[0], x.shape.size());
  const auto n = static_cast<int32_t>(x.shape[axis]);
  r.require(n > 0 && n <= (1 << 20),
            [&] { return "the mean is of " + std::to_string(n) + " values, must be of 1..2^20"; });
  const bool keep = r.integer("keepdims", 1) != 0;
  Shape shape = x.shape;
  if (keep) {
    shape[axis] = 1;
  } else {
    shape.erase(shape.begin() + static_cast<ptrdiff_t>(axis));
  }
  const Value all = wide(r, x);
  const ir::TensorId sum =
      r.make(K::kSum, over(x, static_cast<int64_t>(axis), keep), {all.id}, {}, D::kInt32);
  Value y = combined(r, K::kMul, {sum, shape, false, false}, row_of(r, {2}));
  y = combined(r, K::kAdd, y, row_of(r, {n}));
  y = combined(r, K::kFloorDiv, y, row_of(r, {2 * n}));
  r.give(narrow(r, y, zero_of(r, x)));
}

void gelu_alone(Importer& r) {
  r.refuse("what it makes must go to one RequantShift alone: both are a table of bytes");
}

}  // namespace

/// iGELU and the RequantShift after it, of bytes: a table (Deeploy, GELU_s8.c; I-BERT).
void integer_gelu(Importer& r) {
  const Value x = bytes_of(r, r.in(0));
  const auto one_number = [&](size_t input, const char* what) {
    const auto values = wholes(r, r.tensor(r.in(input)), what, INT32_MIN, INT32_MAX);
    r.require(values.size() == 1, [&] { return std::string(what) + " must be one number"; });
    return values.front();
  };
  const int64_t mul = one_number(1, "mul"), more = one_number(2, "add");
  const int places = places_of(r, "div", 1);
  const bool is_signed = number(r, "signed") != 0;
  const auto whole = [&](const char* what, int low, int high) {
    const double value = number(r, what);
    r.require(value >= low && value <= high && value == std::floor(value), [&] {
      return std::string(what) + " is " + std::to_string(value) + ", must be whole, " +
             std::to_string(low) + ".." + std::to_string(high);
    });
    return static_cast<int64_t>(value);
  };
  const int64_t b = whole("b", -128, 0), one = whole("one", 0, 32767);
  std::vector<int8_t> table;
  for (int i = 0; i < 256; ++i) {
    const int64_t value = static_cast<int8_t>(i) - zero_of(r, x);
    const int64_t sign = (value > 0 ? 1 : 0) - (value < 0 ? 1 : 0);
    const int64_t d = std::min(std::abs(value), -b) + b;
    const int64_t y = value * ((one + sign * (one - d * d)) >> 1);
    const int64_t scaled = (y * mul + more + (int64_t{1} << (places - 1))) >> places;
    const int64_t limited = is_signed ? std::clamp<int64_t>(scaled, -128, 127)
                                      : std::clamp<int64_t>(scaled, 0, 255) + kUnsigned;
    table.push_back(static_cast<int8_t>(limited));
  }
  const ir::TensorId entries = r.constant(constant_of("table", D::kInt8, {256}, table));
  const ir::Quantization q = {{1.0f}, {is_signed ? 0 : kUnsigned}, -1};
  r.give({r.make(K::kLut, ir::None{}, {x.id, entries}, q, D::kInt8), x.shape, x.nhwc, true});
}

const std::vector<Conversion>& of_integer_functions() {
  static const std::vector<Conversion> table = {{"iLayerNorm", layer_norm},
                                                {"ITAMax", ita_max},
                                                {"IntegerMean", integer_mean},
                                                {"iGELU", gelu_alone}};
  return table;
}

}  // namespace presil::import::onnx
