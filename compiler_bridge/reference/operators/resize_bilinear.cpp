// Between four neighbours; int8 or int16 (LiteRT: TFLite Micro has none).
// tflite, and int16 under xnnpack, positions in 1/1024 of a pixel:
//   step = (1024 * in + out / 2) / out; align_corners and out > 1: of in - 1 and out - 1;
//   p = o * step, half_pixel_centers: + step / 2 - 512, at most 1024 * (in - 1);
//   low = max(p / 1024, 0), high = min((p + 1023) / 1024, in - 1), weight of high = p - 1024 * low;
//   divisions truncate; y = sum of the four products of value and weights / 2^20, ties away from
//   zero. A step is rounded, so p of more than a thousand pixels may pass the last one; TFLite then
//   reads what stands after the image, presil the last pixel.
// xnnpack (XNNPACK s8 ibilinear), positions in float32:
//   step = in / out; align_corners and out > 1: of in - 1 and out - 1;
//   p = o * step, half_pixel_centers: + (step / 2 - 1/2), then inside 0..in - 1;
//   low = floor(p), high = min(low + 1, in - 1), weight of high = round_even((p - low) * 2048);
//   between two values: a * 2048 + (b - a) * weight, first along the row, then along the column;
//   y = (that + 2^21) >> 22.
#include <algorithm>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/fixed_point.h"
#include "compiler_bridge/reference/float32.h"

namespace presil::reference::operators {
namespace {

struct Between {
  int64_t low, high, weight;
};

Between in_float(const ir::Resize& a, int64_t o, int64_t in, int64_t out) {
  const int64_t less = a.align_corners && out > 1 ? 1 : 0;
  const float step = static_cast<float>(in - less) / static_cast<float>(out - less);
  float p = static_cast<float>(o) * step;
  if (a.half_pixel_centers) p += 0.5f * step - 0.5f;
  p = std::min(std::max(p, 0.0f), static_cast<float>(in - 1));
  const auto low = static_cast<int64_t>(p);
  const float rest = p - static_cast<float>(low);
  return {low, std::min(low + 1, in - 1), round_even(rest * 2048.0f)};
}

/// In units of 1 / unit.
int64_t mix(int64_t a, int64_t b, int64_t weight, int64_t unit) {
  return a * unit + (b - a) * weight;
}

/// Between values of a type, so of that type.
int64_t rounded(int64_t sum, bool tflite) {
  if (!tflite) return (sum + (1 << 21)) >> 22;
  const int64_t half = sum > 0 ? 1 << 19 : -(1 << 19);
  return (sum + half) / (1 << 20);
}

Between in_integers(const ir::Resize& a, int64_t o, int64_t in, int64_t out) {
  const int64_t last = in - 1;
  if (a.align_corners && out > 1) --in, --out;
  const int64_t step = (1024 * in + out / 2) / out;
  const int64_t centre = o * step + (a.half_pixel_centers ? step / 2 - 512 : 0);
  const int64_t p = std::min(centre, 1024 * last);
  const int64_t low = std::max<int64_t>(p / 1024, 0);
  return {low, std::min((p + 1023) / 1024, last), p - 1024 * low};
}

template <class T>
void interpolate(const Case& c) {
  const auto& a = c.attributes<ir::Resize>();
  const auto &xs = c.in().shape, &ys = c.out().shape;
  const bool tflite = ir::by_fixed_point(c.numerics());
  const auto between = tflite ? in_integers : in_float;
  const int64_t unit = tflite ? 1024 : 2048;
  T* y = c.write<T>();
  for (int64_t n = 0; n < ys[0]; ++n) {
    for (int64_t oy = 0; oy < ys[1]; ++oy) {
      const Between row = between(a, oy, xs[1], ys[1]);
      for (int64_t ox = 0; ox < ys[2]; ++ox) {
        const Between column = between(a, ox, xs[2], ys[2]);
        for (int64_t k = 0; k < xs[3]; ++k) {
          const auto tap = [&](int64_t iy, int64_t ix) {
            return int64_t{c.read<T>()[((n * xs[1] + iy) * xs[2] + ix) * xs[3] + k]};
          };
          const int64_t top =
              mix(tap(row.low, column.low), tap(row.low, column.high), column.weight, unit);
          const int64_t bottom =
              mix(tap(row.high, column.low), tap(row.high, column.high), column.weight, unit);
          *y++ = static_cast<T>(rounded(mix(top, bottom, row.weight, unit), tflite));
        }
      }
    }
  }
}

}  // namespace

void resize_bilinear(const Case& c) {
  if (c.floats()) return resize_bilinear_float(c);
  c.out().dtype == ir::DType::kInt16 ? interpolate<int16_t>(c) : interpolate<int8_t>(c);
}

}  // namespace presil::reference::operators
