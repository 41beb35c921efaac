// What the histogram computes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "testbench/example_block/histogram_registers.h"

namespace presil::example {

using Histogram = std::array<uint32_t, HISTOGRAM_COUNTERS>;

inline void count(Histogram& histogram, const uint8_t* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) ++histogram[bytes[i]];
}

}  // namespace presil::example
