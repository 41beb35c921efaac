// y = exp(x). LiteRT's exp under both rule sets; TFLite Micro has none of integers. int8: by the
// table of `rounded` (unary.h); int16: between 513 points (interpolated.h), the first at -32768
// s_x, the last at 32767 s_x.
#include <cmath>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/interpolated.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference::operators {
namespace {

float exponential_of(float x) {
  return static_cast<float>(std::exp(static_cast<double>(x)));
}

}  // namespace

void exp(const Case& c) {
  if (c.floats()) return function_float(c);
  if (c.out().dtype != ir::DType::kInt16) return rounded(c, exponential_of);
  const float s_x = c.in().quantization.scale();
  const Interpolated table(s_x * -32768.0f, s_x * 32767.0f, exponential_of,
                           c.out().quantization.scale());
  for_each_value<int16_t>(c, table);
}

}  // namespace presil::reference::operators
