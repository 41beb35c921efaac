// Bilinear interpolation of floats, in float: along an axis p = o * scale, or (o + 0.5) * scale -
// 0.5; low = max(floor(p), 0), high = min(ceil(p), in - 1), weight of high max(p - low, 0). Columns
// first, each a * (1 - f) + b * f, then rows.
#include "driver/kernels/host/float_math.h"
#include "driver/kernels/host/resize.h"

namespace presil::kernels {
namespace {

struct Position {
  int64_t low, high;
  float weight;  ///< of high
};

Position position(uint32_t o, uint32_t in, uint32_t out, const presil_resize_attributes& a) {
  const bool corners = a.align_corners && out > 1;
  const float scale = corners ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                              : static_cast<float>(in) / static_cast<float>(out);
  float p = static_cast<float>(o) * scale;
  if (a.half_pixel_centers) p = (static_cast<float>(o) + 0.5f) * scale - 0.5f;
  const int64_t whole = static_cast<int64_t>(p);  // p is above -1, and below 0 counts as 0
  const int64_t low = clamp(whole, 0, static_cast<int64_t>(in) - 1);
  const int64_t up = whole + (p > static_cast<float>(whole) ? 1 : 0);
  const float weight = p - static_cast<float>(low);
  return {low, clamp(up, 0, static_cast<int64_t>(in) - 1), weight > 0.0f ? weight : 0.0f};
}

float mix(float a, float b, float weight) {
  return a * (1.0f - weight) + b * weight;
}

void check(const Task& task, Check& c) {
  check_resize(task, c);
  if (c.ok()) c.dtype(0, PRESIL_FLOAT32);
}

void run(const Task& task) {
  const auto a = task.as<presil_resize_attributes>();
  const uint32_t *x = task[0].shape, *y = task[1].shape;
  const int64_t row = int64_t{x[2]} * x[3];
  const float* image = task.data<const float>(0);
  float* to = task.data<float>(1);
  for (uint32_t n = 0; n < x[0]; ++n, image += x[1] * row) {
    for (uint32_t oy = 0; oy < y[1]; ++oy) {
      const Position v = position(oy, x[1], y[1], a);
      for (uint32_t ox = 0; ox < y[2]; ++ox) {
        const Position u = position(ox, x[2], y[2], a);
        const float *top = image + v.low * row, *bottom = image + v.high * row;
        for (int64_t i = 0; i < x[3]; ++i) {
          const int64_t left = u.low * x[3] + i, right = u.high * x[3] + i;
          *to++ = number_or_nan(mix(mix(top[left], top[right], u.weight),
                                    mix(bottom[left], bottom[right], u.weight), v.weight));
        }
      }
    }
  }
}

}  // namespace

// {x [n,h,w,c], y [n,oh,ow,c]}: presil_resize_attributes.
const Kernel kResizeBilinearF32{
    "resize_bilinear_f32", sizeof(presil_resize_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
