// y element i is x[begin + i * step], per axis; any type.
#include "driver/kernels/host/kernel.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(1, task[0].dtype);
  const auto a = task.as<presil_strided_slice_attributes>();
  uint64_t elements = 1;
  for (uint32_t i = 0; i < task[0].rank && c.ok(); ++i) {
    const int64_t size = task[0].shape[i];
    if (a.step[i] == 0) c.refuse("step", -1, 0, 1);
    c.range("size", a.size[i], 1, size);
    c.range("begin", a.begin[i], 0, size - 1);
    c.range("last element", a.begin[i] + (static_cast<int64_t>(a.size[i]) - 1) * a.step[i], 0,
            size - 1);
    if (c.ok()) elements *= static_cast<uint64_t>(a.size[i]);
  }
  c.elements(1, elements);
}

void run(const Task& task) {
  const auto a = task.as<presil_strided_slice_attributes>();
  int64_t dense[PRESIL_KERNEL_MAX_RANK] = {};
  dense_strides(task[0], dense);
  Walk<1> walk;
  walk.rank = task[0].rank;
  const uint32_t size = presil_dtype_bytes(task[0].dtype);
  const uint8_t* x = task.data<const uint8_t>(0);
  for (uint32_t i = 0; i < walk.rank; ++i) {
    walk.shape[i] = static_cast<uint32_t>(a.size[i]);
    walk.stride[0][i] = dense[i] * a.step[i] * size;
    x += dense[i] * a.begin[i] * size;
  }
  uint8_t* y = task.data<uint8_t>(1);
  const uint64_t n = walk.size();
  for (uint64_t i = 0; i < n; ++i, walk.next()) std::memcpy(y + i * size, x + walk.at[0], size);
}

}  // namespace

// {x, y}, any type: y element i is x[begin + i*step]; y may leave out axes of size 1;
// presil_strided_slice_attributes.
const Kernel kStridedSlice{"strided_slice", sizeof(presil_strided_slice_attributes), 1, check, run,
                           elements_written};

}  // namespace presil::kernels
