// The host's floating point for one vector instruction: rounding set, flags cleared, both put back.
// Loops run in functions of their own, which the compiler does not hoist from the scope.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

#include "models/dsp/dsp_float.h"

namespace presil::dsp {

#if defined(__SSE2__)
class HostFloat {
 public:
  [[gnu::always_inline]] explicit HostFloat(uint8_t rounding) : m_before(_mm_getcsr()) {
    // all exceptions masked; MXCSR counts nearest, down, up, to zero
    constexpr unsigned kBits[4] = {0, 3, 1, 2};
    _mm_setcsr(0x1f80 | kBits[rounding & 3] << 13);
  }
  [[gnu::always_inline]] ~HostFloat() { _mm_setcsr(m_before); }
  HostFloat(const HostFloat&) = delete;
  HostFloat& operator=(const HostFloat&) = delete;
  /// Nothing was raised but, perhaps, inexact.
  [[gnu::always_inline]] bool plain() const { return (_mm_getcsr() & 0x1d) == 0; }
  [[gnu::always_inline]] bool inexact() const { return (_mm_getcsr() & 0x20) != 0; }

 private:
  unsigned m_before;
};
#else
class HostFloat {
 public:
  explicit HostFloat(uint8_t rounding) {
    std::fegetenv(&m_before);
    constexpr int kModes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::feclearexcept(FE_ALL_EXCEPT);
    std::fesetround(kModes[rounding & 3]);
  }
  ~HostFloat() { std::fesetenv(&m_before); }
  HostFloat(const HostFloat&) = delete;
  HostFloat& operator=(const HostFloat&) = delete;
  bool plain() const { return std::fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT) == 0; }
  bool inexact() const { return std::fetestexcept(FE_INEXACT) != 0; }

 private:
  std::fenv_t m_before;
};
#endif

}  // namespace presil::dsp
