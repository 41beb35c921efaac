#include "compiler_bridge/reference/sigmoid16.h"

#include <cmath>

namespace presil::reference {

Sigmoid16::Sigmoid16() {
  for (int k = 0; k < 256; ++k) {
    const double s = 1.0 / (1.0 + std::exp(-k / 24.0));
    const double bend = -s * (1.0 - s) * (1.0 - 2.0 * s);  // -s''
    m_table[static_cast<size_t>(k)] =
        static_cast<int32_t>(std::floor(65536.0 * (s + bend / 9216.0) + 0.5));
  }
  m_table[255] = 65535;
}

int32_t Sigmoid16::sigmoid(int32_t u) const {
  const int32_t a = u < 0 ? -u : u, k = a >> 9;
  const int32_t r = k >= 255 ? 32767 << 10 : (at(k) << 9) + (a & 511) * (at(k + 1) - at(k));
  return (u >= 0 ? r + 512 : (1 << 25) - r + 511) >> 10;
}

int32_t Sigmoid16::tanh(int32_t u) const {
  const int32_t a = u < 0 ? -u : u, k = a >> 8;
  const int32_t r = k >= 255 ? 65535 << 8 : (at(k) << 8) + (a & 255) * (at(k + 1) - at(k));
  return (u >= 0 ? r - (1 << 23) + 128 : (1 << 23) - r + 127) >> 8;
}

}  // namespace presil::reference
