// y[n, h, w] = sum over k of (a[n, h, k] - a_zero) * (b[n, k, w] - b_zero); int32 wraps (TOSA 1.0,
// MATMUL).
#include "compiler_bridge/reference/integers.h"

namespace presil::reference::operators {

void matmul_sums(const Case& c) {
  const auto& m = c.attributes<ir::MatmulSums>();
  const std::vector<int64_t> a = integers(c, 0), b = integers(c, 1);
  const int64_t rows = c.in(0).shape[1], terms = c.in(0).shape[2], columns = c.in(1).shape[2];
  std::vector<int64_t> sums(static_cast<size_t>(columns));
  size_t next = 0;
  for (int64_t r = 0; r < c.in(0).shape[0] * rows; ++r) {
    std::fill(sums.begin(), sums.end(), 0);
    for (int64_t k = 0; k < terms; ++k) {
      const int64_t left = a[static_cast<size_t>(r * terms + k)] - m.a_zero;
      const int64_t* right = b.data() + (r / rows * terms + k) * columns;
      for (int64_t w = 0; w < columns; ++w) {
        sums[static_cast<size_t>(w)] += left * (right[w] - m.b_zero);
      }
    }
    for (const int64_t sum : sums) store(c, next++, sum);
  }
}

}  // namespace presil::reference::operators
