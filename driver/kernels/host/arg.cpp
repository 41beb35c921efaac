// The index of the largest or smallest stored number along an axis, the first of equal ones.
#include "driver/kernels/host/plain.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  check_stored(task, c, 0);
  const uint32_t y = task[1].dtype;
  if (y != PRESIL_INT32 && y != PRESIL_INT64) c.refuse("type", 1, y, PRESIL_INT32);
  const auto a = task.as<presil_arg_attributes>();
  c.range("axis", a.axis, 0, int64_t{task[0].rank} - 1);
  c.range("smallest", a.smallest, 0, 1);
  if (c.ok()) c.elements(1, presil_tensor_elements(&task[0]) / task[0].shape[a.axis]);
}

template <class T>
void run_as(const Task& task, const presil_arg_attributes& a) {
  const uint64_t extent = task[0].shape[a.axis];
  uint64_t inner = 1;
  for (uint32_t axis = a.axis + 1; axis < task[0].rank; ++axis) inner *= task[0].shape[axis];
  const uint64_t results = presil_tensor_elements(&task[1]);
  for (uint64_t i = 0; i < results; ++i) {
    const T* x = task.data<const T>(0) + i / inner * extent * inner + i % inner;
    uint64_t best = 0;
    for (uint64_t k = 1; k < extent; ++k) {
      const T candidate = x[k * inner], held = x[best * inner];
      if (a.smallest != 0 ? candidate < held : candidate > held) best = k;
    }
    if (task[1].dtype == PRESIL_INT64) {
      task.data<int64_t>(1)[i] = static_cast<int64_t>(best);
    } else {
      task.data<int32_t>(1)[i] = static_cast<int32_t>(best);
    }
  }
}

void run(const Task& task) {
  const auto a = task.as<presil_arg_attributes>();
  for_stored_type(task[0].dtype, [&](auto type) { run_as<decltype(type)>(task, a); });
}

uint64_t elements_read(const Task& task) {
  return presil_tensor_elements(&task[0]);
}

}  // namespace

// {x, y i32|i64}, x of any type: index of the best stored value along an axis, which y lacks;
// presil_arg_attributes.
const Kernel kArg{"arg", sizeof(presil_arg_attributes), 1, check, run, elements_read};

}  // namespace presil::kernels
