// Functions of two stored integers; the list is enum presil_pair.
#include "driver/kernels/plain.h"
#include "driver/kernels/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  const auto a = task.as<presil_pair_attributes>();
  c.range("function", a.function, 0, PRESIL_PAIRS - 1);
  for (uint32_t i = 0; i < 3; ++i) {
    check_plain(task, c, i);
    c.dtype(i, task[0].dtype);
  }
  c.broadcasts(0, 2);
  c.broadcasts(1, 2);
}

template <class T>
void run_as(const Task& task, uint32_t function) {
  const T* a = task.data<const T>(0);
  const T* b = task.data<const T>(1);
  T* y = task.data<T>(2);
  Walk<2> walk;
  walk.rank = task[2].rank;
  for (uint32_t i = 0; i < walk.rank; ++i) walk.shape[i] = task[2].shape[i];
  broadcast_strides(task[0], walk.rank, walk.stride[0]);
  broadcast_strides(task[1], walk.rank, walk.stride[1]);
  const uint64_t n = walk.size();
  for (uint64_t i = 0; i < n; ++i, walk.next()) {
    const T u = a[walk.at[0]], v = b[walk.at[1]];
    y[i] = (function == PRESIL_PAIR_MAXIMUM ? u > v : u < v) ? u : v;
  }
}

void run(const Task& task) {
  const uint32_t function = task.as<presil_pair_attributes>().function;
  for_plain_type(task[0].dtype, [&](auto type) { run_as<decltype(type)>(task, function); });
}

}  // namespace

extern const Kernel kPair;
const Kernel kPair{"pair", sizeof(presil_pair_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
