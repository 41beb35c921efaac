// Sums of products of matrices, before any scale: i8 in i32, i16 in i64.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  const auto m = task.as<presil_matmul_sums_attributes>();
  for (uint32_t i = 0; i < 3; ++i) c.rank(i, 3);
  const bool wide = task[0].dtype == PRESIL_INT16;
  if (!wide) c.dtype(0, PRESIL_INT8);
  c.dtype(1, wide ? PRESIL_INT16 : PRESIL_INT8);
  c.dtype(2, wide ? PRESIL_INT64 : PRESIL_INT32);
  c.range("a_zero", m.a_zero, -32768, 32767);
  c.range("b_zero", m.b_zero, -32768, 32767);
  if (!c.ok()) return;
  const uint32_t *a = task[0].shape, *b = task[1].shape;
  c.dim(1, 0, a[0]);
  c.dim(1, 1, a[2]);
  c.dim(2, 0, a[0]);
  c.dim(2, 1, a[1]);
  c.dim(2, 2, b[2]);
}

uint64_t macs(const Task& task) {
  return presil_tensor_elements(&task[2]) * task[0].shape[2];
}

template <class T, class Sum>
void run_as(const Task& task) {
  const auto m = task.as<presil_matmul_sums_attributes>();
  const uint64_t h = task[0].shape[1], k = task[0].shape[2], w = task[1].shape[2];
  Sum* y = task.data<Sum>(2);
  for (uint64_t n = 0; n < task[0].shape[0]; ++n) {
    for (uint64_t row = 0; row < h; ++row) {
      const T* a = task.data<const T>(0) + (n * h + row) * k;
      for (uint64_t column = 0; column < w; ++column) {
        const T* b = task.data<const T>(1) + n * k * w + column;
        uint64_t sum = 0;
        for (uint64_t i = 0; i < k; ++i) {
          sum += static_cast<uint64_t>((int64_t{a[i]} - m.a_zero) * (int64_t{b[i * w]} - m.b_zero));
        }
        *y++ = static_cast<Sum>(static_cast<int64_t>(sum));
      }
    }
  }
}

void run(const Task& task) {
  if (task[0].dtype == PRESIL_INT16) return run_as<int16_t, int64_t>(task);
  run_as<int8_t, int32_t>(task);
}

}  // namespace

// {a [n, h, k], b [n, k, w], y [n, h, w]}: i8, i8, i32 or i16, i16, i64; sums wrap;
// presil_matmul_sums_attributes.
const Kernel kMatmulSums{"matmul_sums", sizeof(presil_matmul_sums_attributes), 1, check, run, macs};

}  // namespace presil::kernels
