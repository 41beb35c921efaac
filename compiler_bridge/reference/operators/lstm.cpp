// TFLite Micro's unidirectional_sequence_lstm of int8 with a cell state of int16, under `tflite`.
//
// Into a gate goes, in steps of 2^-12 (Q3.12):
//   v = sat16(sat16(multiply(b + sum w * (x - z_x), Scale(float32(s_w * s_x) / 2^-12))) +
//             sat16(multiply(sum r * (h - z_h), Scale(float32(s_r * s_h) / 2^-12))))
// and out of it comes, in steps of 2^-15, sigmoid(v), of the cell gate tanh(v). Then
//   c = sat16(sat16(multiply(f * c, Scale(2^-15))) + sat16(multiply(i * g, Scale(2^-30 / s_c)))),
//   clipped to +- the integer part of cell_clip / s_c,
//   h = y = multiply(tanh(c) * o, Scale(2^-30 / s_h)) + z_h, saturated to int8.
// int32 sums wrap. Both functions interpolate a table T (below), with a = |u|:
//   sigmoid(v): u = 3 v; R = T[a >> 9] * 2^9 + (a & 511) * (next - T), 32767 * 2^10 where a >> 9 is
//     255 or more; u >= 0: (R + 2^9) >> 10, else (2^25 - R + 2^9 - 1) >> 10.
//   tanh(v): u = 3 v * 2^n, n = 12 + log2 of v's scale, halves up; R = T[a >> 8] * 2^8 + (a & 255)
//   *
//     (next - T), 65535 * 2^8 where a >> 8 is 255 or more; u >= 0: (R - 2^23 + 2^7) >> 8, else
//     (2^23 - R + 2^7 - 1) >> 8.
// T[k] = round(2^16 * (s - s'' / (16 * 24^2))) with s = 1 / (1 + exp(-k / 24)): the curve, raised
// by half of the distance between it and a chord. T[255] = 65535.
#include <array>
#include <cmath>

#include "compiler_bridge/reference/accumulate.h"
#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_point.h"

namespace presil::reference::operators {
namespace {

constexpr size_t kGates = 4;
enum Gate : size_t { kInput, kForget, kCell, kOutput };

int32_t sat16(int32_t v) {
  return clamp(v, -32768, 32767);
}

class Functions {
 public:
  Functions() {
    for (int k = 0; k < 256; ++k) {
      const double s = 1.0 / (1.0 + std::exp(-k / 24.0));
      const double bend = -s * (1.0 - s) * (1.0 - 2.0 * s);  // -s''
      m_table[static_cast<size_t>(k)] =
          static_cast<int32_t>(std::floor(65536.0 * (s + bend / 9216.0) + 0.5));
    }
    m_table[255] = 65535;
  }

  int32_t sigmoid(int32_t v) const {
    const int32_t u = 3 * v, a = u < 0 ? -u : u, k = a >> 9;
    const int32_t r = k >= 255 ? 32767 << 10 : (at(k) << 9) + (a & 511) * (at(k + 1) - at(k));
    return (u >= 0 ? r + 512 : (1 << 25) - r + 511) >> 10;
  }
  /// v in steps of 2^log_scale
  int32_t tanh(int32_t v, int log_scale) const {
    int32_t u = 3 * v;
    if (log_scale >= -12) {
      u *= 1 << (log_scale + 12);
    } else {
      const int right = -12 - log_scale;
      u = (u + (1 << (right - 1))) >> right;
    }
    const int32_t a = u < 0 ? -u : u, k = a >> 8;
    const int32_t r = k >= 255 ? 65535 << 8 : (at(k) << 8) + (a & 255) * (at(k + 1) - at(k));
    return (u >= 0 ? r - (1 << 23) + 128 : (1 << 23) - r + 127) >> 8;
  }

 private:
  int32_t at(int32_t k) const { return m_table[static_cast<size_t>(k)]; }
  std::array<int32_t, 256> m_table{};
};

/// One matrix of one gate: rows of weights times a vector, in steps of 2^-12.
struct Matrix {
  std::vector<int16_t> weights;
  size_t columns;
  Scale scale;

  Matrix(const Case& c, size_t input, const ir::Tensor& x)
      : weights(centred(c.read<int8_t>(input), static_cast<size_t>(c.in(input).elements()), 0)),
        columns(static_cast<size_t>(c.in(input).shape[1])) {
    const float product = x.quantization.scale() * c.in(input).quantization.scale();
    scale = to_scale(static_cast<double>(product) / 0x1p-12);
  }
  int32_t operator()(size_t row, const std::vector<int16_t>& x, int32_t bias) const {
    const int32_t sum = dot(x.data(), weights.data() + row * columns, columns);
    return sat16(multiply(wrapping_add(sum, bias), scale));
  }
};

}  // namespace

void lstm(const Case& c) {
  const auto& a = c.attributes<ir::Lstm>();
  const auto& xs = c.in(0).shape;
  const auto units = static_cast<size_t>(c.in(1).shape[0]), inputs = static_cast<size_t>(xs[2]);
  const auto batches = static_cast<size_t>(xs[a.time_major ? 1 : 0]);
  const auto steps = static_cast<size_t>(xs[a.time_major ? 0 : 1]);
  const ir::Quantization &qx = c.in(0).quantization, &qh = c.out().quantization;
  const auto cell_scale = static_cast<double>(c.out(2).quantization.scale());
  const Scale keep = to_scale(0x1p-15 * cell_scale / cell_scale);
  const Scale add = to_scale(0x1p-30 / cell_scale);
  const Scale out = to_scale(0x1p-30 / static_cast<double>(qh.scale()));
  const double clip = static_cast<double>(a.cell_clip) / cell_scale;
  const int32_t most = a.cell_clip > 0 ? static_cast<int32_t>(clip > 32767 ? 32767 : clip) : 32768;
  const int log_scale = static_cast<int>(std::log2(cell_scale));  // exact: a power of two
  const Functions f;
  std::vector<Matrix> from_x, from_h;
  for (size_t gate = 0; gate < kGates; ++gate) {
    from_x.emplace_back(c, 1 + gate, c.in(0));
    from_h.emplace_back(c, 5 + gate, c.out());
  }
  for (size_t batch = 0; batch < batches; ++batch) {
    std::vector<int16_t> h(units, 0);  // less its zero point
    std::vector<int16_t> cell(units, 0);
    if (c.has(13)) h = centred(c.read<int8_t>(13) + batch * units, units, qh.zero_point());
    if (c.has(14)) std::copy_n(c.read<int16_t>(14) + batch * units, units, cell.begin());
    for (size_t t = 0; t < steps; ++t) {
      const size_t row = a.time_major ? t * batches + batch : batch * steps + t;
      const auto x = centred(c.read<int8_t>(0) + row * inputs, inputs, qx.zero_point());
      int8_t* y = c.write<int8_t>(0) + row * units;
      for (size_t k = 0; k < units; ++k) {
        std::array<int32_t, kGates> v{};
        for (size_t gate = 0; gate < kGates; ++gate) {
          const int32_t bias = c.read<int32_t>(9 + gate)[k];
          v[gate] = sat16(from_x[gate](k, x, bias) + from_h[gate](k, h, 0));
        }
        const int32_t kept = sat16(multiply(f.sigmoid(v[kForget]) * cell[k], keep));
        const int32_t added = sat16(multiply(f.sigmoid(v[kInput]) * f.tanh(v[kCell], -12), add));
        cell[k] = static_cast<int16_t>(clamp(sat16(kept + added), -most, most));
        const int32_t shown = f.tanh(cell[k], log_scale) * f.sigmoid(v[kOutput]);
        y[k] = to_int8(multiply(shown, out) + qh.zero_point());
      }
      h = centred(y, units, qh.zero_point());
      if (t + 1 == steps) std::copy_n(y, units, c.write<int8_t>(1) + batch * units);
    }
    std::copy_n(cell.begin(), units, c.write<int16_t>(2) + batch * units);
  }
}

}  // namespace presil::reference::operators
