// Two values become whether something holds between them.
#pragma once

#include "compiler_bridge/reference/elementwise.h"
#include "compiler_bridge/reference/reduce.h"

namespace presil::reference {

/// y = f(a, b). int8, as TFLite Micro's and LiteRT's comparisons: of multiply((a - z_a) * 2^8,
/// Scale(s_a)) and the same of b; so values less than 1/256 apart may be equal. Other types: of
/// what is stored.
template <class F>
void compare(const Case& c, F f) {
  if (c.in().dtype != ir::DType::kInt8) {
    return for_type_of_x(c, [&](auto type) {
      using T = decltype(type);
      for_each_pair<T, T, uint8_t>(c, [&](T a, T b) { return f(a, b) ? 1 : 0; });
    });
  }
  const auto &qa = c.in(0).quantization, &qb = c.in(1).quantization;
  const Scale scale_a = to_scale(qa.scale()), scale_b = to_scale(qb.scale());
  for_each_pair<int8_t, int8_t, uint8_t>(c, [&](int8_t a, int8_t b) {
    const int32_t fine_a = multiply((a - qa.zero_point()) * 256, scale_a);
    const int32_t fine_b = multiply((b - qb.zero_point()) * 256, scale_b);
    return f(fine_a, fine_b) ? 1 : 0;
  });
}

}  // namespace presil::reference
