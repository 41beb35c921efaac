// Along one axis one value where an index says so, another elsewhere; any type.
#include "driver/kernels/host/indices.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(4)) return;
  check_indices(task, c, 0);
  for (uint32_t i = 1; i <= 2; ++i) {
    c.dtype(i, task[3].dtype);
    c.elements(i, 1);
  }
  const auto a = task.as<presil_one_hot_attributes>();
  c.at_most("axis", a.axis, task[0].rank);
  c.rank(3, task[0].rank + 1);
  for (uint32_t i = 0; c.ok() && i < task[0].rank; ++i) {
    c.dim(3, i < a.axis ? i : i + 1, task[0].shape[i]);
  }
}

void run(const Task& task) {
  const auto a = task.as<presil_one_hot_attributes>();
  const Tensor &indices = task[0], &y = task[3];
  const uint32_t size = presil_dtype_bytes(y.dtype), depth = y.shape[a.axis];
  uint64_t inner = 1;
  for (uint32_t i = a.axis; i < indices.rank; ++i) inner *= indices.shape[i];
  const uint64_t outer = presil_tensor_elements(&indices) / inner;
  uint8_t* to = static_cast<uint8_t*>(y.data);
  for (uint64_t o = 0; o < outer; ++o) {
    for (int64_t d = 0; d < depth; ++d) {
      for (uint64_t i = 0; i < inner; ++i, to += size) {
        const bool hot = load_index(indices, o * inner + i) == d;
        std::memcpy(to, task[hot ? 1 : 2].data, size);
      }
    }
  }
}

}  // namespace

// {indices i32|i64, on [1], off [1], y}, on, off, y of any one type: y has one axis more, on
// where the position along it is the index; presil_one_hot_attributes.
const Kernel kOneHot{"one_hot", sizeof(presil_one_hot_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
