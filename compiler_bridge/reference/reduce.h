// Many values to one, along some axes.
#pragma once

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_point.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference {

/// For each element of y, in x's order: acc = f(acc, x), begun with `start`. X: type of x.
template <class X, class Acc, class F>
std::vector<Acc> reduced(const Case& c, Acc start, F f) {
  // y as a tensor of x's rank whose reduced axes have stride 0.
  std::vector<int64_t> kept = c.in().shape;
  const std::vector<int64_t>& axes = c.attributes<ir::Reduce>().axes;
  for (int64_t axis : axes) kept[static_cast<size_t>(axis)] = 1;
  std::vector<int64_t> strides = strides_of(kept);
  for (int64_t axis : axes) strides[static_cast<size_t>(axis)] = 0;
  std::vector<Acc> results(static_cast<size_t>(c.out().elements()), start);
  const X* x = c.read<X>();
  for_each_index(c.in().shape, [&](const std::vector<int64_t>& index) {
    Acc& acc = results[static_cast<size_t>(offset(index, strides))];
    acc = f(acc, *x++);
  });
  return results;
}

/// How many elements of x become one of y.
inline int64_t reduced_count(const Case& c) {
  return c.in().elements() / c.out().elements();
}

/// f(T()) for the type of x, int8, int16, int32, int64, float32 or bool.
template <class F>
void for_type_of_x(const Case& c, F f) {
  switch (c.in().dtype) {
    case ir::DType::kInt16:
      return f(int16_t{});
    case ir::DType::kInt32:
      return f(int32_t{});
    case ir::DType::kInt64:
      return f(int64_t{});
    case ir::DType::kFloat32:
      return f(float{});
    case ir::DType::kBool:
      return f(uint8_t{});
    default:
      return f(int8_t{});
  }
}

}  // namespace presil::reference
