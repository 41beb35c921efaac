// The mean of what a window holds inside the image: the sum of x - in_zero, in 32 bits, by TOSA's
// reciprocal of how many there are, + out_zero, saturated (TOSA 1.0, AVG_POOL2D).
#include "compiler_bridge/reference/apply_scale.h"
#include "compiler_bridge/reference/integers.h"

namespace presil::reference::operators {

void mean_pool(const Case& c) {
  const auto& a = c.attributes<ir::MeanPool>();
  const std::vector<int64_t> x = integers(c, 0);
  const auto &xs = c.in().shape, &ys = c.out().shape;
  const size_t bytes = ir::size_of(c.out().dtype);
  size_t next = 0;
  for_each_index(ys, [&](const std::vector<int64_t>& y) {
    int64_t sum = 0;
    uint32_t count = 0;
    for (int64_t ky = 0; ky < a.kernel_h; ++ky) {
      for (int64_t kx = 0; kx < a.kernel_w; ++kx) {
        const int64_t row = y[1] * a.stride_h - a.pad_top + ky;
        const int64_t column = y[2] * a.stride_w - a.pad_left + kx;
        if (row < 0 || row >= xs[1] || column < 0 || column >= xs[2]) continue;
        sum += x[static_cast<size_t>(((y[0] * xs[1] + row) * xs[2] + column) * xs[3] + y[3])];
        ++count;
      }
    }
    int64_t mean = 0;
    if (count != 0) {
      const Reciprocal r = reciprocal(count);
      mean = apply_scale(sum - int64_t{count} * a.in_zero, r.multiplier, r.shift);
    }
    store(c, next++, limited(mean + a.out_zero, least_of(bytes, false), most_of(bytes, false)));
  });
}

}  // namespace presil::reference::operators
