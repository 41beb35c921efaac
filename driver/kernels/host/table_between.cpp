// A function of int16 in 513 points, with seven bits between them:
//   y = (p << 7) + (next - p) * (x & 127), p = table[256 + (x >> 7)]
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

constexpr uint64_t kPoints = 513;

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  c.dtype(0, PRESIL_INT16);
  c.dtype(1, PRESIL_INT16);
  c.dtype(2, PRESIL_INT32);
  c.elements(1, kPoints);
  c.elements(2, presil_tensor_elements(&task[0]));
}

void run(const Task& task) {
  const int16_t* x = task.data<const int16_t>(0);
  const int16_t* table = task.data<const int16_t>(1);
  int32_t* y = task.data<int32_t>(2);
  for (uint64_t n = presil_tensor_elements(&task[0]); n > 0; --n, ++x, ++y) {
    const int16_t* p = table + 256 + (*x >> 7);
    *y = p[0] * 128 + (p[1] - p[0]) * (*x & 127);
  }
}

}  // namespace

// {x i16, table i16 [513], y i32}: as many elements; no attributes.
const Kernel kTableBetween{"table_between", 0, 1, check, run, elements_written};

}  // namespace presil::kernels
