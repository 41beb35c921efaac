// Bilinear interpolation in integers, TFLite's rule: positions and weights in Q10, the sum of the
// four products in Q20, halves away from zero.
#include "driver/kernels/resize.h"

namespace presil::kernels {
namespace {

constexpr int64_t kOne = 1 << 10;

struct Position {
  int64_t low, high;  ///< neighbours
  int64_t weight;     ///< of `high`, Q10
};

Position position(int64_t i, int64_t in, int64_t out, const presil_resize_attributes& a) {
  const bool corners = a.align_corners && out > 1;
  const int64_t scale =
      corners ? (kOne * (in - 1) + (out - 1) / 2) / (out - 1) : (kOne * in + out / 2) / out;
  int64_t at = i * scale;
  if (a.half_pixel_centers) at += scale / 2 - kOne / 2;
  const int64_t low = at < 0 ? 0 : at / kOne;
  const int64_t up = (at + kOne - 1) / kOne;
  return {low, up < in - 1 ? up : in - 1, at - low * kOne};
}

void check(const Task& task, Check& c) {
  check_resize(task, c);
  if (c.ok()) c.dtype(0, PRESIL_INT8);
}

void run(const Task& task) {
  const auto a = task.as<presil_resize_attributes>();
  const int64_t h = task[0].shape[1], w = task[0].shape[2], c = task[0].shape[3];
  const int64_t oh = task[1].shape[1], ow = task[1].shape[2];
  int8_t* y = task.data<int8_t>(1);
  for (uint32_t n = 0; n < task[0].shape[0]; ++n) {
    const int8_t* image = task.data<const int8_t>(0) + n * h * w * c;
    for (int64_t oy = 0; oy < oh; ++oy) {
      const Position py = position(oy, h, oh, a);
      for (int64_t ox = 0; ox < ow; ++ox) {
        const Position px = position(ox, w, ow, a);
        const int8_t* top = image + py.low * w * c;
        const int8_t* bottom = image + py.high * w * c;
        for (int64_t i = 0; i < c; ++i) {
          const int64_t sum = top[px.low * c + i] * (kOne - py.weight) * (kOne - px.weight) +
                              bottom[px.low * c + i] * py.weight * (kOne - px.weight) +
                              top[px.high * c + i] * (kOne - py.weight) * px.weight +
                              bottom[px.high * c + i] * py.weight * px.weight;
          const int64_t half = sum > 0 ? kOne * kOne / 2 : -kOne * kOne / 2;
          *y++ = static_cast<int8_t>(clamp((sum + half) / (kOne * kOne), -128, 127));
        }
      }
    }
  }
}

}  // namespace

extern const Kernel kResizeBilinearI8;
const Kernel kResizeBilinearI8{
    "resize_bilinear_i8", sizeof(presil_resize_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
