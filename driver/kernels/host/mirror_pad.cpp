// A border around a tensor of any type that shows the tensor in a mirror.
#include "driver/kernels/host/kernel.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(1, task[0].dtype);
  c.rank(1, task[0].rank);
  const auto a = task.as<presil_mirror_pad_attributes>();
  c.range("symmetric", a.symmetric, 0, 1);
  for (uint32_t axis = 0; axis < task[0].rank && c.ok(); ++axis) {
    const int64_t own = task[0].shape[axis];
    const int64_t most = own - (a.symmetric ? 0 : 1);
    c.range("before", a.before[axis], 0, most);
    c.range("after", static_cast<int64_t>(task[1].shape[axis]) - own - a.before[axis], 0, most);
  }
}

/// Where position i of y looks, n values between two mirrors.
int64_t seen(int64_t i, int64_t before, int64_t n, bool symmetric) {
  if (i < before) return before - i - (symmetric ? 1 : 0);
  const int64_t beyond = i - before - n;  // 0: the first after
  return beyond < 0 ? i - before : n - 1 - beyond - (symmetric ? 0 : 1);
}

void run(const Task& task) {
  const auto a = task.as<presil_mirror_pad_attributes>();
  const Tensor &x = task[0], &y = task[1];
  const uint32_t size = presil_dtype_bytes(x.dtype);
  int64_t dense[PRESIL_KERNEL_MAX_RANK] = {};
  dense_strides(x, dense);
  Walk<1> walk;
  walk.rank = y.rank;
  for (uint32_t axis = 0; axis < y.rank; ++axis) walk.shape[axis] = y.shape[axis];
  uint8_t* to = static_cast<uint8_t*>(y.data);
  const uint64_t n = walk.size();
  for (uint64_t k = 0; k < n; ++k, walk.next()) {
    int64_t at = 0;
    for (uint32_t i = 0; i < y.rank; ++i) {
      at += dense[i] * seen(walk.index[i], a.before[i], x.shape[i], a.symmetric != 0);
    }
    std::memcpy(to + k * size, static_cast<const uint8_t*>(x.data) + at * size, size);
  }
}

}  // namespace

// {x, y}, any type, same rank: outside x its mirror image; presil_mirror_pad_attributes.
const Kernel kMirrorPad{"mirror_pad",    sizeof(presil_mirror_pad_attributes), 1, check, run,
                        elements_written};

}  // namespace presil::kernels
