// Sigmoid and tanh of 16 bits by interpolation in a table, as TFLite Micro's kernels have them.
//
// u is x times 3 * 2^12, a = |u|; T is the table, N its next entry:
//   sigmoid: R = T[a >> 9] * 2^9 + (a & 511) * (N - T), 32767 * 2^10 where a >> 9 is 255 or more;
//     u >= 0: (R + 2^9) >> 10, else (2^25 - R + 2^9 - 1) >> 10.
//   tanh: R = T[a >> 8] * 2^8 + (a & 255) * (N - T), 65535 * 2^8 where a >> 8 is 255 or more;
//     u >= 0: (R - 2^23 + 2^7) >> 8, else (2^23 - R + 2^7 - 1) >> 8.
// T[k] = round(2^16 * (s - s'' / (16 * 24^2))) with s = 1 / (1 + exp(-k / 24)): the curve, raised
// by half of the distance between it and a chord. T[255] = 65535.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace presil::reference {

class Sigmoid16 {
 public:
  Sigmoid16();
  /// In steps of 2^-15.
  int32_t sigmoid(int32_t u) const;
  int32_t tanh(int32_t u) const;

 private:
  int32_t at(int32_t k) const { return m_table[static_cast<size_t>(k)]; }
  std::array<int32_t, 256> m_table{};
};

}  // namespace presil::reference
