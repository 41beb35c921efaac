#include "compiler_bridge/common/sigmoid_table.h"

#include <cmath>

namespace presil::common {

std::array<int32_t, 256> sigmoid_table() {
  std::array<int32_t, 256> table{};
  for (size_t i = 0; i < table.size(); ++i) {
    const double s = 1 / (1 + std::exp(-static_cast<double>(i) / 24));
    const double curvature = s * (1 - s) * (1 - 2 * s);  // the second derivative
    table[i] = static_cast<int32_t>(std::lround(65536 * (s - curvature / (16 * 24 * 24))));
  }
  table.back() = 65535;
  return table;
}

}  // namespace presil::common
