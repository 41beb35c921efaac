// logistic and tanh of int16, y in steps of 2^-15 (TFLite Micro's kernels): those of sigmoid16.h
// with u = (x * m + 2^(n - 1)) >> n, which has steps of 2^-12 / 3:
//   where s_x is 2^-12, of tanh 2^-11 too, within 1/1000 of its logarithm: m = 3 * 2^12 * s_x, n =
//   0; else m = 3 * 2^12 * s_x doubled n times, until it is more than 32767 / 2, at most 31 times,
//   and cut to an integer.
#include <cmath>

#include "compiler_bridge/reference/int16.h"
#include "compiler_bridge/reference/sigmoid16.h"
#include "compiler_bridge/reference/unary.h"

namespace presil::reference {
namespace {

class Steps {
 public:
  Steps(double scale, int most) {
    const double power = std::log2(scale), whole = std::round(power);
    if (std::abs(power - whole) < 1e-3 && whole >= -12 && whole <= -12 + most) {
      m_multiplier = 3 << static_cast<int>(whole + 12);
      return;
    }
    double multiplier = scale * 3 * 4096;
    for (; multiplier <= 32767.0 / 2 && m_shift <= 30; ++m_shift) multiplier *= 2;
    m_multiplier = static_cast<int32_t>(multiplier);
  }
  int32_t operator()(int32_t x) const {
    const int32_t half = m_shift > 0 ? 1 << (m_shift - 1) : 0;
    return (x * m_multiplier + half) >> m_shift;
  }

 private:
  int32_t m_multiplier = 0;
  int m_shift = 0;
};

}  // namespace

void logistic_int16(const Case& c) {
  const Steps u(c.in().quantization.scale(), 0);
  for_each_value<int16_t>(c, [f = Sigmoid16(), u](int32_t x) { return f.sigmoid(u(x)); });
}

void tanh_int16(const Case& c) {
  const Steps u(c.in().quantization.scale(), 1);
  for_each_value<int16_t>(c, [f = Sigmoid16(), u](int32_t x) { return f.tanh(u(x)); });
}

}  // namespace presil::reference
