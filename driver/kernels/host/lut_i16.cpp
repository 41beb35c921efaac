// A function of int16 in 513 points, interpolated between them:
//   y = p + (((x & 127) * (next - p) + 64) >> 7), p = table[256 + (x >> 7)]
// next - p and y wrap to int16, as in LiteRT.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

constexpr uint64_t kPoints = 513;

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  for (uint32_t i = 0; i < 3; ++i) c.dtype(i, PRESIL_INT16);
  c.elements(1, kPoints);
  c.elements(2, presil_tensor_elements(&task[0]));
}

void run(const Task& task) {
  const int16_t* x = task.data<const int16_t>(0);
  const int16_t* table = task.data<const int16_t>(1);
  int16_t* y = task.data<int16_t>(2);
  for (uint64_t n = presil_tensor_elements(&task[0]); n > 0; --n, ++x, ++y) {
    const int16_t* p = table + 256 + (*x >> 7);
    const int32_t slope = static_cast<int16_t>(p[1] - p[0]);
    *y = static_cast<int16_t>(p[0] + (((*x & 127) * slope + 64) >> 7));
  }
}

}  // namespace

// {x i16, table i16 [513], y i16}: as many elements; no attributes.
const Kernel kLutI16{"lut_i16", 0, 1, check, run, elements_written};

}  // namespace presil::kernels
