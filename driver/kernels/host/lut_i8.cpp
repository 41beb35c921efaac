// Any function of one value of 8 bits: a table of 256 results, indexed by the value as it is
// stored, taken as uint8.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  for (uint32_t i = 0; i < 3; ++i) {
    if (i == 1 || task[i].dtype != PRESIL_UINT8) c.dtype(i, PRESIL_INT8);
  }
  c.elements(1, 256);
  c.elements(2, presil_tensor_elements(&task[0]));
}

void run(const Task& task) {
  const uint8_t* x = task.data<const uint8_t>(0);
  const int8_t* table = task.data<const int8_t>(1);
  int8_t* y = task.data<int8_t>(2);
  const uint64_t n = presil_tensor_elements(&task[2]);
  for (uint64_t i = 0; i < n; ++i) y[i] = table[x[i]];
}

}  // namespace

// {x i8|u8, table i8 [256], y i8|u8}: y = table[uint8(x)]; shapes of equal size. No attributes.
const Kernel kLutI8{"lut_i8", 0, 1, check, run, elements_written};

}  // namespace presil::kernels
