// A border of one value around a tensor of a 1-byte type.
#include "driver/kernels/kernel.h"
#include "driver/kernels/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(1, task[0].dtype);
  c.rank(1, task[0].rank);
  if (presil_dtype_bytes(task[0].dtype) != 1) c.refuse("type", 0, task[0].dtype, PRESIL_INT8);
  if (!c.ok()) return;
  const auto a = task.as<presil_pad_attributes>();
  for (uint32_t axis = 0; axis < task[0].rank; ++axis) {
    const int64_t room = static_cast<int64_t>(task[1].shape[axis]) - task[0].shape[axis];
    c.range("before", a.before[axis], 0, room);
  }
  c.range("value", a.value, -128, 255);
}

void run(const Task& task) {
  const auto a = task.as<presil_pad_attributes>();
  uint8_t* y = task.data<uint8_t>(1);
  const uint8_t* x = task.data<const uint8_t>(0);
  std::memset(y, a.value, presil_tensor_bytes(&task[1]));
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

}  // namespace

extern const Kernel kPadI8;
const Kernel kPadI8{"pad_i8", sizeof(presil_pad_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
