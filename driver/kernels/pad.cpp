// A border of one value around a tensor of integers of 1 or 2 bytes.
#include "driver/kernels/integers.h"
#include "driver/kernels/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(1, task[0].dtype);
  c.rank(1, task[0].rank);
  check_integer(task, c, 0, 2);
  if (!c.ok()) return;
  const auto a = task.as<presil_pad_attributes>();
  for (uint32_t axis = 0; axis < task[0].rank; ++axis) {
    const int64_t room = static_cast<int64_t>(task[1].shape[axis]) - task[0].shape[axis];
    c.range("before", a.before[axis], 0, room);
  }
  c.range("value", a.value, lowest(task[0].dtype), highest(task[0].dtype));
}

template <class T>
void surround(const Task& task) {
  const auto a = task.as<presil_pad_attributes>();
  T* y = task.data<T>(1);
  const T* x = task.data<const T>(0);
  const uint64_t all = presil_tensor_elements(&task[1]);
  for (uint64_t i = 0; i < all; ++i) y[i] = static_cast<T>(a.value);
  Walk<1> walk;
  walk.rank = task[0].rank;
  dense_strides(task[1], walk.stride[0]);
  for (uint32_t axis = 0; axis < walk.rank; ++axis) {
    walk.shape[axis] = task[0].shape[axis];
    y += a.before[axis] * walk.stride[0][axis];
  }
  const uint64_t n = walk.size();
  for (uint64_t i = 0; i < n; ++i, walk.next()) y[walk.at[0]] = x[i];
}

void run(const Task& task) {
  task[0].dtype == PRESIL_INT16 ? surround<int16_t>(task) : surround<uint8_t>(task);
}

}  // namespace

extern const Kernel kPad;
const Kernel kPad{"pad", sizeof(presil_pad_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
