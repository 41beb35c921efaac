// Bilinear interpolation. TFLite's rule: positions and weights in Q10, none beyond the last pixel
// (over many pixels the rounding of a step adds up), the sum of the four products in Q20, halves
// away from zero. XNNPACK's: positions in float32 (one quotient, one product, with
// half_pixel_centers one product, difference and sum more), weights in Q11 to the nearest even, the
// sum in Q22, halves up.
#include "driver/kernels/host/resize.h"

namespace presil::kernels {
namespace {

struct Position {
  int64_t low, high;  ///< neighbours
  int64_t weight;     ///< of `high`, Q10 or Q11
};

Position float_position(int64_t i, int64_t in, int64_t out, const presil_resize_attributes& a) {
  const bool corners = a.align_corners && out > 1;
  const float scale = corners ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                              : static_cast<float>(in) / static_cast<float>(out);
  const float last = static_cast<float>(in - 1);
  float at = static_cast<float>(i) * scale;
  if (a.half_pixel_centers) at = at + (0.5f * scale - 0.5f);
  at = at < 0.0f ? 0.0f : at > last ? last : at;
  const int64_t low = static_cast<int64_t>(at);
  const int32_t weight = round_even((at - static_cast<float>(low)) * 2048.0f);
  return {low, low < in - 1 ? low + 1 : in - 1, weight};
}

Position position(int64_t i, int64_t in, int64_t out, const presil_resize_attributes& a) {
  constexpr int64_t kOne = 1 << 10;
  if (a.numerics == PRESIL_NUMERICS_XNNPACK) return float_position(i, in, out, a);
  const bool corners = a.align_corners && out > 1;
  const int64_t scale =
      corners ? (kOne * (in - 1) + (out - 1) / 2) / (out - 1) : (kOne * in + out / 2) / out;
  int64_t at = i * scale;
  if (a.half_pixel_centers) at += scale / 2 - kOne / 2;
  if (at > kOne * (in - 1)) at = kOne * (in - 1);
  const int64_t low = at < 0 ? 0 : at / kOne;
  const int64_t up = (at + kOne - 1) / kOne;
  return {low, up < in - 1 ? up : in - 1, at - low * kOne};
}

void check_i8(const Task& task, Check& c) {
  check_resize(task, c);
  if (c.ok()) c.dtype(0, PRESIL_INT8);
}

void check_i16(const Task& task, Check& c) {
  check_resize(task, c);
  if (!c.ok()) return;
  c.dtype(0, PRESIL_INT16);
  const auto a = task.as<presil_resize_attributes>();
  c.range("numerics", a.numerics, PRESIL_NUMERICS_TFLITE, PRESIL_NUMERICS_TFLITE);
}

template <class T>
void run(const Task& task) {
  const auto a = task.as<presil_resize_attributes>();
  const int64_t h = task[0].shape[1], w = task[0].shape[2], c = task[0].shape[3];
  const int64_t oh = task[1].shape[1], ow = task[1].shape[2];
  const bool halves_up = a.numerics == PRESIL_NUMERICS_XNNPACK;
  const int64_t one = halves_up ? 1 << 11 : 1 << 10, unit = one * one;
  T* y = task.data<T>(1);
  for (uint32_t n = 0; n < task[0].shape[0]; ++n) {
    const T* image = task.data<const T>(0) + n * h * w * c;
    for (int64_t oy = 0; oy < oh; ++oy) {
      const Position py = position(oy, h, oh, a);
      for (int64_t ox = 0; ox < ow; ++ox) {
        const Position px = position(ox, w, ow, a);
        const T* top = image + py.low * w * c;
        const T* bottom = image + py.high * w * c;
        for (int64_t i = 0; i < c; ++i) {
          const int64_t sum = top[px.low * c + i] * (one - py.weight) * (one - px.weight) +
                              bottom[px.low * c + i] * py.weight * (one - px.weight) +
                              top[px.high * c + i] * (one - py.weight) * px.weight +
                              bottom[px.high * c + i] * py.weight * px.weight;
          const int64_t half = sum > 0 || halves_up ? unit / 2 : -unit / 2;
          const int64_t v = halves_up ? (sum + half) >> 22 : (sum + half) / unit;
          *y++ = static_cast<T>(v);  // between values of its type
        }
      }
    }
  }
}

const char* price_i8(const Task& task) {
  const bool floats = task.as<presil_resize_attributes>().numerics == PRESIL_NUMERICS_XNNPACK;
  return floats ? "resize_bilinear_i8_float" : "resize_bilinear_i8";
}

}  // namespace

// {x i8 [n,h,w,c], y i8 [n,oh,ow,c]}: weights in Q10, TFLite's integer rule, or of float32
// positions in Q11, XNNPACK's; presil_resize_attributes.
const Kernel kResizeBilinearI8{"resize_bilinear_i8",
                               sizeof(presil_resize_attributes),
                               1,
                               check_i8,
                               run<int8_t>,
                               elements_written,
                               price_i8};
// int16, as their int8 kernels: {x i16, y i16}; ties away from zero; numerics tflite.
const Kernel kResizeBilinearI16{
    "resize_bilinear_i16", sizeof(presil_resize_attributes), 1, check_i16, run<int16_t>,
    elements_written};

}  // namespace presil::kernels
