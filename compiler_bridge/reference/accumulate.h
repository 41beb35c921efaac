// Sums of products as the operators define them: int32 that wraps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace presil::reference {

/// sum a[i] * b[i]. Runs of 16384 products of at most 2^16 each stay inside int32; the runs are
/// added modulo 2^32.
inline int32_t dot(const int16_t* a, const int16_t* b, size_t count) {
  uint32_t sum = 0;
  for (size_t begin = 0; begin < count; begin += 16384) {
    const size_t end = std::min(count, begin + 16384);
    int32_t run = 0;
    for (size_t i = begin; i < end; ++i) run += static_cast<int32_t>(a[i]) * b[i];
    sum += static_cast<uint32_t>(run);
  }
  return static_cast<int32_t>(sum);
}

inline int32_t wrapping_add(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

/// int8 values less their zero point, -255..255.
inline std::vector<int16_t> centred(const int8_t* values, size_t count, int32_t zero_point) {
  std::vector<int16_t> wide(count);
  for (size_t i = 0; i < count; ++i) wide[i] = static_cast<int16_t>(values[i] - zero_point);
  return wide;
}

}  // namespace presil::reference
