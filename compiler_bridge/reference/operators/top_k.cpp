// The largest stored values of each row of the last axis, largest first, the first of equal ones
// first, and their indices. What is no number comes last. The same under both rule sets (LiteRT's
// topk_v2; TFLite Micro has none).
#include <algorithm>
#include <numeric>

#include "compiler_bridge/reference/reduce.h"

namespace presil::reference::operators {

void top_k(const Case& c) {
  const auto depth = static_cast<size_t>(c.in().shape.back());
  const auto kept = static_cast<size_t>(c.out().shape.back());
  const size_t rows = static_cast<size_t>(c.in().elements()) / depth;
  for_type_of_x(c, [&](auto type) {
    using T = decltype(type);
    std::vector<int32_t> order(depth);
    for (size_t row = 0; row < rows; ++row) {
      const T* x = c.read<T>() + row * depth;
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [x](int32_t i, int32_t j) {
        const bool none = x[i] != x[i];
        return !none && (x[j] != x[j] || x[i] > x[j]);
      });
      for (size_t i = 0; i < kept; ++i) {
        c.write<T>(0)[row * kept + i] = x[order[i]];
        c.write<int32_t>(1)[row * kept + i] = order[i];
      }
    }
  });
}

}  // namespace presil::reference::operators
