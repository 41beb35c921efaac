// Pixels of several images between each other: every stride_h-th row and stride_w-th column of y is
// one input.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  c.at_least("number of tensors", task.count, 2);
  if (!c.ok()) return;
  const auto a = task.as<presil_interleave_attributes>();
  const uint32_t inputs = task.count - 1;
  c.range("stride_h", a.stride_h, 1, inputs);
  c.range("stride_w", a.stride_w, 1, inputs);
  if (c.ok() && a.stride_h * a.stride_w != inputs) {
    c.refuse("stride_h * stride_w", -1, a.stride_h * a.stride_w, inputs);
  }
  c.rank(inputs, 4);
  if (!c.ok()) return;
  const uint32_t* y = task[inputs].shape;
  for (uint32_t i = 0; i < inputs && c.ok(); ++i) {
    // Rounded up, and never below 0: row i / stride_w may be beyond y.
    const int64_t rows = static_cast<int64_t>(y[1]) - i / a.stride_w + a.stride_h - 1;
    const int64_t columns = static_cast<int64_t>(y[2]) - i % a.stride_w + a.stride_w - 1;
    c.rank(i, 4);
    c.dtype(i, task[inputs].dtype);
    c.dim(i, 0, y[0]);
    c.dim(i, 1, rows / a.stride_h);
    c.dim(i, 2, columns / a.stride_w);
    c.dim(i, 3, y[3]);
  }
}

void run(const Task& task) {
  const auto a = task.as<presil_interleave_attributes>();
  const Tensor& y = task[task.count - 1];
  const uint64_t pixel = static_cast<uint64_t>(y.shape[3]) * presil_dtype_bytes(y.dtype);
  uint8_t* to = static_cast<uint8_t*>(y.data);
  for (uint32_t n = 0; n < y.shape[0]; ++n) {
    for (uint32_t row = 0; row < y.shape[1]; ++row) {
      for (uint32_t column = 0; column < y.shape[2]; ++column, to += pixel) {
        const Tensor& x = task[row % a.stride_h * a.stride_w + column % a.stride_w];
        const uint64_t line = static_cast<uint64_t>(n) * x.shape[1] + row / a.stride_h;
        const uint64_t at = line * x.shape[2] + column / a.stride_w;
        std::memcpy(to, static_cast<const uint8_t*>(x.data) + at * pixel, pixel);
      }
    }
  }
}

}  // namespace

// {x0 .. xk-1 [n,hi,wi,c], y [n,h,w,c]}, any type: y pixel (r * stride_h + i, c * stride_w + j)
// is pixel (r, c) of x(i * stride_w + j); presil_interleave_attributes.
const Kernel kInterleave{"interleave",    sizeof(presil_interleave_attributes), 1, check, run,
                         elements_written};

}  // namespace presil::kernels
