// Two operands, shapes broadcast as in numpy.
#pragma once

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_point.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference {

/// y[i] = f(a[i], b[i]), all T, or b of type B, y of type Y; an axis of extent 1 is read again for
/// every index.
template <class T, class B = T, class Y = T, class F>
void for_each_pair(const Case& c, F f) {
  const auto& shape = c.out().shape;
  const auto broadcast = [&](const std::vector<int64_t>& from) {
    std::vector<int64_t> strides(shape.size(), 0);
    const auto dense = strides_of(from);
    const size_t skipped = shape.size() - from.size();
    for (size_t i = 0; i < from.size(); ++i) strides[skipped + i] = from[i] == 1 ? 0 : dense[i];
    return strides;
  };
  const auto strides_a = broadcast(c.in(0).shape);
  const auto strides_b = broadcast(c.in(1).shape);
  const T* a = c.read<T>(0);
  const B* b = c.read<B>(1);
  Y* y = c.write<Y>();
  for_each_index(shape, [&](const std::vector<int64_t>& index) {
    *y++ = f(a[offset(index, strides_a)], b[offset(index, strides_b)]);
  });
}

/// y = f(a, b) of int32 or int64, in 64 bits, of which the type keeps the low ones.
template <class F>
void for_each_whole_pair(const Case& c, F f) {
  const auto run = [&](auto type) {
    using T = decltype(type);
    for_each_pair<T>(c, [&](T a, T b) { return static_cast<T>(f(int64_t{a}, int64_t{b})); });
  };
  c.out().dtype == ir::DType::kInt64 ? run(int64_t{}) : run(int32_t{});
}
inline bool is_whole(const Case& c) {
  return c.out().dtype == ir::DType::kInt32 || c.out().dtype == ir::DType::kInt64;
}

/// y = a + sign * b, the rules of add.cpp.
void add_scaled(const Case& c, int sign);

}  // namespace presil::reference
