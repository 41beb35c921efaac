// What softmax and log_softmax of int8 share: rows along the last axis, and their exponentials.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "compiler_bridge/reference/case.h"

namespace presil::reference {

struct Row {
  const int8_t* x;
  int8_t* y;
  int64_t length;
  int32_t largest;  ///< of x
};

/// f(row) of every row along the last axis.
template <class F>
void for_each_row(const Case& c, F&& f) {
  const int64_t length = c.in().shape.back();
  for (int64_t at = 0; at < c.in().elements(); at += length) {
    const int8_t* x = c.read<int8_t>() + at;
    f(Row{x, c.write<int8_t>() + at, length, *std::max_element(x, x + length)});
  }
}

/// exp(-scale * d) in float32, d = largest x of the row - x, as LiteRT's own kernels tabulate it.
class ExponentialTable {
 public:
  explicit ExponentialTable(float scale) {
    for (size_t d = 0; d < m_values.size(); ++d) {
      m_values[d] =
          static_cast<float>(std::exp(static_cast<double>(-scale * static_cast<float>(d))));
    }
  }
  float operator()(int32_t d) const { return m_values[static_cast<size_t>(d)]; }
  /// Of all values of a row, from the left.
  float sum(const Row& row) const {
    float sum = 0;
    for (int64_t i = 0; i < row.length; ++i) sum += (*this)(row.largest - row.x[i]);
    return sum;
  }

 private:
  std::array<float, 256> m_values{};
};

}  // namespace presil::reference
