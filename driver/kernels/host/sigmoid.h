// Sigmoid and tanh of 16 bits; the formulas and the table are those of presil_lstm_attributes.
#pragma once

#include "driver/kernels/host/arithmetic.h"

namespace presil::kernels {

/// table[q >> bits], with the fraction in proportion; `limit` from the last one on.
/// Entries have 16 bits, whatever a damaged table says, so that nothing after it overflows.
inline int32_t interpolate(const int32_t* table, int32_t q, int bits, int32_t limit) {
  const int32_t at = q >> bits, rest = q & ((1 << bits) - 1);
  if (at >= 255) return limit;
  const int32_t point = table[at] & 0xffff, next = table[at + 1] & 0xffff;
  return point * (1 << bits) + rest * (next - point);
}

inline int32_t sigmoid_i16(const int32_t* table, int32_t v) {
  const int32_t r = interpolate(table, v < 0 ? -v : v, 9, 32767 * 1024);
  return static_cast<int32_t>(
      clamp(v < 0 ? ((1 << 25) - r + 511) >> 10 : (r + 512) >> 10, INT16_MIN, INT16_MAX));
}

inline int32_t tanh_i16(const int32_t* table, int32_t v) {
  const int32_t r = interpolate(table, v < 0 ? -v : v, 8, 65535 * 256);
  return static_cast<int32_t>(
      clamp(v < 0 ? ((1 << 23) - r + 127) >> 8 : (r - (1 << 23) + 128) >> 8, INT16_MIN, INT16_MAX));
}

}  // namespace presil::kernels
