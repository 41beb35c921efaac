// A function of int16 by interpolation between 513 points, as TFLite's kernels tabulate it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace presil::reference {

/// x = -32768 .. 32767 stands for first .. last, y has steps of y_step. All in float32, round()
/// ties away from zero: with inverse = 65536 / (32767 y_step + 32768 y_step), step = (last - first)
/// / 512, point(v) = f(v) * inverse and v_i = first + i * step, entry i is
///   round(point(v_i)) - round((round((point(v_i+1) + round(point(v_i))) / 2) -
///                              round(point(v_i + step / 2))) / 2),
/// half of what a chord misses in its middle taken off; the last one round(point(last)); within
/// int16. Between entries: y = entry + ((x & 127) * (next - entry) + 64) >> 7, entry (x >> 7) +
/// 256; next - entry wraps to int16, and so does y.
class Interpolated {
 public:
  template <class F>
  Interpolated(float first, float last, const F& f, float y_step = kUnitStep) {
    const float low = y_step * -32768.0f, high = y_step * 32767.0f;
    const float inverse = 65536.0f / (high - low);
    const float step = (last - first) / 512.0f, half = step / 2.0f;
    for (int i = 0; i < 512; ++i) {
      const float at = first + static_cast<float>(i) * step;
      const float next = f(first + static_cast<float>(i + 1) * step) * inverse;
      const float here = std::round(f(at) * inverse);
      const float chord = std::round((next + here) / 2.0f);
      const float missed = std::round((chord - std::round(f(at + half) * inverse)) / 2.0f);
      m_entries[static_cast<size_t>(i)] = held(here - missed);
    }
    m_entries[512] = held(std::round(f(last) * inverse));
  }
  int32_t operator()(int32_t x) const {
    const auto i = static_cast<size_t>((x >> 7) + 256);
    const auto slope = static_cast<int16_t>(m_entries[i + 1] - m_entries[i]);
    return static_cast<int16_t>(m_entries[i] + ((slope * (x & 127) + 64) >> 7));
  }

 private:
  static constexpr float kUnitStep = 2.0f / 65535.0f;  // of values within -1..1
  static int32_t held(float v) {
    return static_cast<int32_t>(std::min(std::max(v, -32768.0f), 32767.0f));
  }
  std::array<int32_t, 513> m_entries{};
};

}  // namespace presil::reference
