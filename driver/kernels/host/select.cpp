// One of two values each, by a third; any type.
#include "driver/kernels/host/kernel.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(4)) return;
  c.dtype(0, PRESIL_BOOL);
  c.dtype(1, task[3].dtype);
  c.dtype(2, task[3].dtype);
  for (uint32_t i = 0; i < 3 && c.ok(); ++i) c.broadcasts(i, 3);
}

void run(const Task& task) {
  const Tensor& y = task[3];
  const uint32_t size = presil_dtype_bytes(y.dtype);
  Walk<3> walk;
  walk.rank = y.rank;
  for (uint32_t axis = 0; axis < y.rank; ++axis) walk.shape[axis] = y.shape[axis];
  for (uint32_t i = 0; i < 3; ++i) broadcast_strides(task[i], y.rank, walk.stride[i]);
  const uint8_t* condition = task.data<const uint8_t>(0);
  uint8_t* to = static_cast<uint8_t*>(y.data);
  const uint64_t n = walk.size();
  for (uint64_t i = 0; i < n; ++i, walk.next()) {
    const uint32_t from = condition[walk.at[0]] ? 1 : 2;
    std::memcpy(to + i * size, task.data<const uint8_t>(from) + walk.at[from] * size, size);
  }
}

}  // namespace

// {condition bool, a, b, y}, a, b, y of any one type, numpy broadcasting: y = condition ? a : b.
// No attributes.
const Kernel kSelect{"select", 0, 1, check, run, elements_written};

}  // namespace presil::kernels
