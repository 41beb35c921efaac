// The mean of the taps inside the image, rounded to nearest, ties away from zero:
//   sum >= 0: (sum + n / 2) / n, else (sum - n / 2) / n, divisions truncating, on the stored values
// (x and y share scale and zero point), of int8 or int16. The same under both rule sets, the clamp
// of tflite too: XNNPACK takes it of floats alone, LiteRT computes it by TFLite's own kernel. With
// ties_up: the greatest whole number that is at most sum / n + 1 / 2. That is what the first line
// gives for values that are all 128 larger, as those of uint8 networks are.
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/requantize.h"
#include "compiler_bridge/reference/window.h"

namespace presil::reference::operators {
namespace {

int64_t floor_quotient(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

template <class T>
void average(const Case& c) {
  const auto& a = c.attributes<ir::Pool2d>();
  const Range range = activation_range(ir::Numerics::kTflite, a.act, c.out());
  const int64_t channels = c.in().shape[3], row = c.in().shape[2] * channels;
  T* y = c.write<T>();
  for_each_window(c, a, [&](int64_t first, int64_t rows, int64_t columns) {
    const int64_t n = rows * columns;
    for (int64_t k = 0; k < channels; ++k) {
      const T* tap = c.read<T>() + first + k;
      int64_t sum = 0;
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) sum += tap[i * row + j * channels];
      }
      const int64_t mean = a.ties_up  ? floor_quotient(2 * sum + n, 2 * n)
                           : sum >= 0 ? (sum + n / 2) / n
                                      : (sum - n / 2) / n;
      *y++ = static_cast<T>(clamp(static_cast<int32_t>(mean), range.low, range.high));
    }
  });
}

}  // namespace

void average_pool2d(const Case& c) {
  if (c.floats()) return average_pool2d_float(c);
  c.out().dtype == ir::DType::kInt16 ? average<int16_t>(c) : average<int8_t>(c);
}

}  // namespace presil::reference::operators
