// The arithmetic that tables are made with.
#pragma once

#include <algorithm>
#include <cstdint>

#include "compiler_bridge/common/fixed_arithmetic.h"
#include "compiler_bridge/passes/int8_table.h"

namespace presil::passes {

/// value_of(q) for every stored value q, saturated.
template <class F>
Int8Table tabulate(F&& value_of) {
  Int8Table table{};
  for (int q = -128; q <= 127; ++q) {
    const int64_t y = value_of(q);
    table[static_cast<uint8_t>(q)] = static_cast<int8_t>(std::clamp<int64_t>(y, -128, 127));
  }
  return table;
}

using common::high_product;
using common::rounded_right;
using common::saturated;
using common::scaled_twice;

}  // namespace presil::passes
