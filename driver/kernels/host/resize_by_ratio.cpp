// Images of another size by integer ratios: the nearest pixel, or the four around it.
#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

using Attributes = presil_resize_by_ratio_attributes;

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  const auto a = task.as<Attributes>();
  c.rank(0, 4);
  c.rank(1, 4);
  c.range("nearest", a.nearest, 0, 1);
  const bool wide = task[0].dtype == PRESIL_INT16;
  if (!wide) c.dtype(0, PRESIL_INT8);
  const uint32_t sums = wide ? PRESIL_INT64 : PRESIL_INT32;
  c.dtype(1, a.nearest != 0 ? task[0].dtype : sums);
  c.range("numerator_y", a.numerator_y, 1, 2048);
  c.range("numerator_x", a.numerator_x, 1, 2048);
  c.range("denominator_y", a.denominator_y, 1, 32768);
  c.range("denominator_x", a.denominator_x, 1, 32768);
  c.range("offset_y", a.offset_y, -32768, 32767);
  c.range("offset_x", a.offset_x, -32768, 32767);
  if (!c.ok()) return;
  c.dim(1, 0, task[0].shape[0]);
  c.dim(1, 3, task[0].shape[3]);
}

/// Two rows of x, and how much of the second.
struct Between {
  int64_t near, far, weight;
};

Between between(int64_t row, int64_t numerator, int64_t denominator, int64_t offset, int64_t rows) {
  const int64_t p = row * denominator + offset;
  const int64_t d = ((p % numerator) + numerator) % numerator;
  const int64_t whole = (p - d) / numerator;
  return {clamp(whole, 0, rows - 1), clamp(whole + 1, 0, rows - 1), d};
}

template <class T, class F>
void each(const Task& task, const F& f) {
  const auto a = task.as<Attributes>();
  const uint32_t *xs = task[0].shape, *ys = task[1].shape;
  const int64_t width = xs[2], channels = xs[3];
  uint64_t next = 0;
  for (uint32_t n = 0; n < ys[0]; ++n) {
    const T* image = task.data<const T>(0) + n * (int64_t{xs[1]} * width * channels);
    for (uint32_t r = 0; r < ys[1]; ++r) {
      const Between v = between(r, a.numerator_y, a.denominator_y, a.offset_y, xs[1]);
      for (uint32_t s = 0; s < ys[2]; ++s) {
        const Between u = between(s, a.numerator_x, a.denominator_x, a.offset_x, xs[2]);
        for (int64_t c = 0; c < channels; ++c) {
          const auto at = [&](int64_t y, int64_t x) {
            return int64_t{image[(y * width + x) * channels + c]};
          };
          f(next++, a, v, u, at);
        }
      }
    }
  }
}

template <class T>
void nearest(const Task& task) {
  each<T>(task,
          [&](uint64_t i, const Attributes& a, const Between& v, const Between& u, const auto& at) {
            const int64_t y = 2 * v.weight < a.numerator_y ? v.near : v.far;
            const int64_t x = 2 * u.weight < a.numerator_x ? u.near : u.far;
            task.data<T>(1)[i] = static_cast<T>(at(y, x));
          });
}

template <class T, class Sum>
void bilinear(const Task& task) {
  each<T>(task,
          [&](uint64_t i, const Attributes& a, const Between& v, const Between& u, const auto& at) {
            const int64_t up = int64_t{a.numerator_y} - v.weight, down = v.weight;
            const int64_t left = int64_t{a.numerator_x} - u.weight, right = u.weight;
            task.data<Sum>(1)[i] =
                static_cast<Sum>(at(v.near, u.near) * up * left + at(v.near, u.far) * up * right +
                                 at(v.far, u.near) * down * left + at(v.far, u.far) * down * right);
          });
}

void run(const Task& task) {
  const bool wide = task[0].dtype == PRESIL_INT16;
  if (task.as<Attributes>().nearest != 0) {
    return wide ? nearest<int16_t>(task) : nearest<int8_t>(task);
  }
  wide ? bilinear<int16_t, int64_t>(task) : bilinear<int8_t, int32_t>(task);
}

}  // namespace

// {x, y} NHWC: nearest i8, i8 or i16, i16; else i8, i32 or i16, i64;
// presil_resize_by_ratio_attributes.
const Kernel kResizeByRatio{
    "resize_by_ratio", sizeof(presil_resize_by_ratio_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
