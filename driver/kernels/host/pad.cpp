// A border of one value around a tensor of any type.
#include "driver/kernels/host/integers.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(1, task[0].dtype);
  c.rank(1, task[0].rank);
  if (!c.ok()) return;
  const auto a = task.as<presil_pad_attributes>();
  for (uint32_t axis = 0; axis < task[0].rank; ++axis) {
    const int64_t room = static_cast<int64_t>(task[1].shape[axis]) - task[0].shape[axis];
    c.range("before", a.before[axis], 0, room);
  }
  const uint32_t type = task[0].dtype;  // of 4 and 8 bytes, and of a float, any value is one
  if (presil_dtype_bytes(type) <= 2) c.range("value", a.value, lowest(type), highest(type));
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
  switch (presil_dtype_bytes(task[0].dtype)) {
    case 1:
      return surround<uint8_t>(task);
    case 2:
      return surround<int16_t>(task);
    case 4:
      return surround<int32_t>(task);
    default:
      return surround<int64_t>(task);
  }
}

}  // namespace

// {x, y}, any type, same rank: presil_pad_attributes.
const Kernel kPad{"pad", sizeof(presil_pad_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
