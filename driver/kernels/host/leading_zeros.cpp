// Zeros before the first one of 32 bits.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(0, PRESIL_INT32);
  c.dtype(1, PRESIL_INT32);
  c.elements(1, presil_tensor_elements(&task[0]));
}

void run(const Task& task) {
  const uint64_t n = presil_tensor_elements(&task[0]);
  for (uint64_t i = 0; i < n; ++i) {
    const uint32_t x = task.data<const uint32_t>(0)[i];
    int32_t zeros = 0;
    while (zeros < 32 && (x & (uint32_t{1} << (31 - zeros))) == 0) ++zeros;
    task.data<int32_t>(1)[i] = zeros;
  }
}

}  // namespace

// {x i32, y i32}: as many elements, 32 of 0; no attributes.
const Kernel kLeadingZeros{"leading_zeros", 0, 1, check, run, elements_written};

}  // namespace presil::kernels
