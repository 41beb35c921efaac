// y = min(max(x, 0), 6), requantised: Rescale (unary.h) with s_x / s_y, then the clamp of
// requantize.h. (TFLite Micro takes equal scales only, where Rescale changes nothing.)
#include <algorithm>

#include "compiler_bridge/reference/requantize.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {

void relu6(const Case& c) {
  const float x = c.in().quantization.scale(), y = c.out().quantization.scale();
  const Rescale rescale(c, static_cast<double>(x) / static_cast<double>(y), x / y);
  const Range range = activation_range(c.graph.numerics, ir::Activation::kRelu6, c.out());
  for_each_value(c, [&](int32_t value) {
    return std::min<int64_t>(std::max<int64_t>(rescale(value), range.low), range.high);
  });
}

}  // namespace presil::reference::operators
