// The rows of one side of a DMA command: a row and four dimensions, walked innermost first.
#pragma once

#include <array>
#include <cstdint>

#include "rtl/dma/dma_command.h"

namespace presil::dma {

struct Shape {
  uint64_t base = 0;  ///< of the first row, in its space
  uint32_t row_bytes = 0;
  std::array<uint16_t, 4> n{1, 1, 1, 1};
  std::array<int32_t, 4> stride{};

  static Shape source(const Command& c) {
    return {c.src_base, c.src_row_bytes, c.src_n, c.src_stride};
  }
  static Shape destination(const Command& c) {
    return {c.dst_base, c.dst_row_bytes, c.dst_n, c.dst_stride};
  }

  uint64_t rows() const { return uint64_t{n[0]} * n[1] * n[2] * n[3]; }
  uint64_t bytes() const { return rows() * row_bytes; }
  /// Bytes below and above `base` that the rows reach: [base + low, base + high).
  int64_t low() const { return extent(false); }
  int64_t high() const { return extent(true) + row_bytes; }

  /// Dimensions that follow on from the one within are merged: fewer, longer rows, the same bytes
  /// in the same order.
  Shape merged() const;

 private:
  int64_t extent(bool upwards) const {
    int64_t sum = 0;
    for (unsigned d = 0; d < 4; ++d) {
      const int64_t reach = (int64_t{n[d]} - 1) * stride[d];
      if ((reach > 0) == upwards) sum += reach;
    }
    return sum;
  }
};

/// Calls f(offset from base) for every row in loop order.
template <class F>
void for_each_row(const Shape& s, F&& f) {
  for (uint32_t i3 = 0; i3 < s.n[3]; ++i3) {
    for (uint32_t i2 = 0; i2 < s.n[2]; ++i2) {
      for (uint32_t i1 = 0; i1 < s.n[1]; ++i1) {
        int64_t at =
            int64_t{i3} * s.stride[3] + int64_t{i2} * s.stride[2] + int64_t{i1} * s.stride[1];
        for (uint32_t i0 = 0; i0 < s.n[0]; ++i0, at += s.stride[0]) f(at);
      }
    }
  }
}

}  // namespace presil::dma
