// Where along an axis the best value is.
#pragma once

#include "compiler_bridge/reference/reduce.h"

namespace presil::reference {

/// y = index of the first x that no other is better than. better(x, best)
template <class Better>
void index_of_best(const Case& c, Better better) {
  const auto axis = static_cast<size_t>(c.attributes<ir::Arg>().axis);
  const std::vector<int64_t>& shape = c.in().shape;
  int64_t inner = 1;
  for (size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  const int64_t extent = shape[axis];
  for_type_of_x(c, [&](auto type) {
    const auto* x = c.read<decltype(type)>();
    for (int64_t i = 0; i < c.out().elements(); ++i) {
      const auto* first = x + i / inner * extent * inner + i % inner;
      int64_t best = 0;
      for (int64_t k = 1; k < extent; ++k) {
        if (better(first[k * inner], first[best * inner])) best = k;
      }
      if (c.out().dtype == ir::DType::kInt32) {
        c.write<int32_t>()[i] = static_cast<int32_t>(best);
      } else {
        c.write<int64_t>()[i] = best;
      }
    }
  });
}

}  // namespace presil::reference
