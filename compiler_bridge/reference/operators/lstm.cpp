// TFLite Micro's unidirectional_sequence_lstm of int8 with a cell state of int16, under `tflite`.
//
// Into a gate goes, in steps of 2^-12 (Q3.12):
//   v = sat16(sat16(multiply(b + sum w * (x - z_x), Scale(float32(s_w * s_x) / 2^-12))) +
//             sat16(multiply(sum r * (h - z_h), Scale(float32(s_r * s_h) / 2^-12))))
// and out of it comes, in steps of 2^-15, sigmoid(v), of the cell gate tanh(v). Then
//   c = sat16(sat16(multiply(f * c, Scale(2^-15))) + sat16(multiply(i * g, Scale(2^-30 / s_c)))),
//   clipped to +- the integer part of cell_clip / s_c,
//   h = y = multiply(tanh(c) * o, Scale(2^-30 / s_h)) + z_h, saturated to int8.
// int32 sums wrap. sigmoid and tanh are those of sigmoid16.h with u = 3 v; of c, whose scale is
// 2^n, u = 3 c * 2^(n + 12), halves up.
#include <algorithm>
#include <array>
#include <cmath>

#include "compiler_bridge/reference/accumulate.h"
#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_point.h"
#include "compiler_bridge/reference/sigmoid16.h"

namespace presil::reference::operators {
namespace {

constexpr size_t kGates = 4;
enum Gate : size_t { kInput, kForget, kCell, kOutput };

int32_t sat16(int32_t v) {
  return clamp(v, -32768, 32767);
}

/// Three times 2^12 times the value of v, which has steps of 2^log_scale.
int32_t finer(int32_t v, int log_scale) {
  if (log_scale >= -12) return 3 * v * (1 << (log_scale + 12));
  const int right = -12 - log_scale;
  return (3 * v + (1 << (right - 1))) >> right;
}

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
  const Sigmoid16 f;
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
        const int32_t kept = sat16(multiply(f.sigmoid(3 * v[kForget]) * cell[k], keep));
        const int32_t added = sat16(multiply(f.sigmoid(3 * v[kInput]) * f.tanh(3 * v[kCell]), add));
        cell[k] = static_cast<int16_t>(clamp(sat16(kept + added), -most, most));
        const int32_t shown = f.tanh(finer(cell[k], log_scale)) * f.sigmoid(3 * v[kOutput]);
        y[k] = to_int8(multiply(shown, out) + qh.zero_point());
      }
      h = centred(y, units, qh.zero_point());
      if (t + 1 == steps) std::copy_n(y, units, c.write<int8_t>(1) + batch * units);
    }
    std::copy_n(cell.begin(), units, c.write<int16_t>(2) + batch * units);
  }
}

}  // namespace presil::reference::operators
