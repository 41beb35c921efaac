// The bytes of x under another shape.
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(1, task[0].dtype);
  c.elements(1, presil_tensor_elements(&task[0]));
}

void run(const Task& task) {
  std::memcpy(task[1].data, task[0].data, presil_tensor_bytes(&task[0]));
}

}  // namespace

// {x, y}: the bytes of x; same type and number of elements, any shapes (reshape); no attributes.
const Kernel kCopy{"copy", 0, 1, check, run, elements_written};

}  // namespace presil::kernels
