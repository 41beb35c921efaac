// y axis i is x axis perm[i]; any type.
#include "driver/kernels/host/kernel.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(1, task[0].dtype);
  c.rank(1, task[0].rank);
  if (!c.ok()) return;
  const auto a = task.as<presil_transpose_attributes>();
  uint32_t seen = 0;
  for (uint32_t i = 0; i < task[0].rank && c.ok(); ++i) {
    c.at_most("perm", a.perm[i], static_cast<int64_t>(task[0].rank) - 1);
    if (!c.ok()) return;
    if (seen >> a.perm[i] & 1u) c.refuse("perm names an axis twice", -1, a.perm[i], i);
    seen |= 1u << a.perm[i];
    c.dim(1, i, task[0].shape[a.perm[i]]);
  }
}

void run(const Task& task) {
  const auto a = task.as<presil_transpose_attributes>();
  int64_t dense[PRESIL_KERNEL_MAX_RANK] = {};
  dense_strides(task[0], dense);
  Walk<1> walk;
  walk.rank = task[1].rank;
  const uint32_t size = presil_dtype_bytes(task[0].dtype);
  for (uint32_t i = 0; i < walk.rank; ++i) {
    walk.shape[i] = task[1].shape[i];
    walk.stride[0][i] = dense[a.perm[i]] * size;
  }
  const uint8_t* x = task.data<const uint8_t>(0);
  uint8_t* y = task.data<uint8_t>(1);
  const uint64_t n = walk.size();
  for (uint64_t i = 0; i < n; ++i, walk.next()) std::memcpy(y + i * size, x + walk.at[0], size);
}

}  // namespace

// {x, y}, any type: y axis i is x axis perm[i]; presil_transpose_attributes.
const Kernel kTranspose{"transpose",     sizeof(presil_transpose_attributes), 1, check, run,
                        elements_written};

}  // namespace presil::kernels
