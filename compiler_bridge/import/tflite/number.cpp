// Operators on numbers as such: comparisons, logic, whole quotients, the largest of many, long
// sums.
#include "compiler_bridge/import/tflite/reader.h"
#include "compiler_bridge/ir/shape.h"

namespace presil::import {
namespace {

const std::vector<ir::DType> kSummed = {ir::DType::kInt8, ir::DType::kInt32, ir::DType::kInt64,
                                        ir::DType::kFloat32};

void top_k(const OpReader& r) {
  const auto k = r.integers(1, "k");
  std::vector<int64_t> y = r.in(0).shape;
  r.require(k.size() == 1 && !y.empty() && k[0] >= 1 && k[0] <= y.back(), [&] {
    return "k is " + ir::to_string(k) + ", x is " + ir::to_string(y) +
           ", expected one number of 1 up to the length of x's rows";
  });
  y.back() = k[0];
  r.set_shape(0, y);
  r.set_shape(1, y);
  r.keep_inputs(1);
}

/// Sums of two, from the first input on.
void add_n(const OpReader& r) {
  const std::vector<ir::TensorId> terms = r.op.inputs;
  const ir::TensorId y = r.op.output();
  for (size_t i = 0; i < terms.size(); ++i) {
    r.require(r.has(i) && r.in(i).shape == r.out().shape && r.in(i).dtype == r.out().dtype, [&] {
      return "its input " + std::to_string(i) + " is " +
             (r.has(i) ? ir::type_of(r.in(i)) : "missing") + ", y is " + ir::type_of(r.out()) +
             ", must be the same";
    });
  }
  ir::Op sum = r.op;
  std::vector<ir::Op> sums;
  for (size_t i = 1; i < terms.size(); ++i) {
    sum.inputs = {i == 1 ? terms[0] : sum.output(), terms[i]};
    sum.outputs = {y};
    if (i + 1 < terms.size()) {
      ir::Tensor part = r.graph.tensor(y);
      part.name += "/" + std::to_string(i);
      sum.outputs = {r.graph.add(std::move(part))};
    }
    sum.name = r.graph.tensor(sum.output()).name;
    sums.push_back(sum);
  }
  r.op = sums.front();
  r.following.assign(sums.begin() + 1, sums.end());
}

void cumsum(const OpReader& r) {
  const auto& o = r.options<file::Cumsum>();
  const auto axes = r.integers(1, "axis");
  r.require(axes.size() == 1,
            [&] { return "axis holds " + std::to_string(axes.size()) + " numbers, must hold 1"; });
  const int64_t axis = axis_of(r, axes[0], r.in(0).shape.size());
  r.op.attributes = ir::Cumsum{static_cast<int>(axis), o.exclusive(), o.reverse()};
  r.keep_inputs(1);
}

}  // namespace

std::vector<Conversion> number_conversions() {
  return {
      {file::Builtin_CUMSUM, ir::OpKind::kCumsum, 2, 2, kSummed, cumsum},
      {file::Builtin_TOPK_V2, ir::OpKind::kTopK, 2, 2, types::kFIntegers, top_k, {}, 0, 2, 2},
      {file::Builtin_LESS, ir::OpKind::kLess, 2, 2, types::kCompared, nothing},
      {file::Builtin_GREATER, ir::OpKind::kGreater, 2, 2, types::kCompared, nothing},
      {file::Builtin_GREATER_EQUAL, ir::OpKind::kGreaterEqual, 2, 2, types::kCompared, nothing},
      {file::Builtin_LESS_EQUAL, ir::OpKind::kLessEqual, 2, 2, types::kCompared, nothing},
      {file::Builtin_EQUAL, ir::OpKind::kEqual, 2, 2, types::kCompared, nothing},
      {file::Builtin_NOT_EQUAL, ir::OpKind::kNotEqual, 2, 2, types::kCompared, nothing},
      {file::Builtin_LOGICAL_OR, ir::OpKind::kLogicalOr, 2, 2, types::kBool, nothing},
      {file::Builtin_LOGICAL_AND, ir::OpKind::kLogicalAnd, 2, 2, types::kBool, nothing},
      {file::Builtin_LOGICAL_NOT, ir::OpKind::kLogicalNot, 1, 1, types::kBool, nothing},
      {file::Builtin_FLOOR_DIV, ir::OpKind::kFloorDiv, 2, 2, types::kPlain, nothing},
      {file::Builtin_FLOOR_MOD, ir::OpKind::kFloorMod, 2, 2, types::kPlain, nothing},
      {file::Builtin_ADD_N, ir::OpKind::kAdd, 2, 1024, types::kPlain, add_n},
  };
}

}  // namespace presil::import
