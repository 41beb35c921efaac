// Slices of x along an axis, by their numbers; any type. A number outside is the nearest inside.
#include "driver/kernels/host/indices.h"

namespace presil::kernels {
namespace {

uint64_t extents(const Tensor& t, uint32_t from, uint32_t to) {
  uint64_t n = 1;
  for (uint32_t i = from; i < to; ++i) n *= t.shape[i];
  return n;
}

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  check_indices(task, c, 1);
  c.dtype(2, task[0].dtype);
  const auto a = task.as<presil_gather_attributes>();
  c.at_most("axis", a.axis, static_cast<int64_t>(task[0].rank) - 1);
  c.at_most("batch_dims", a.batch_dims, a.axis);
  c.at_most("batch_dims", a.batch_dims, task[1].rank);
  for (uint32_t i = 0; c.ok() && i < a.batch_dims; ++i) c.dim(1, i, task[0].shape[i]);
  if (!c.ok()) return;
  const uint32_t picked = task[1].rank - a.batch_dims;
  c.rank(2, task[0].rank - 1 + picked);
  for (uint32_t i = 0; c.ok() && i < task[2].rank; ++i) {
    const bool before = i < a.axis, after = i >= a.axis + picked;
    c.dim(2, i,
          before  ? task[0].shape[i]
          : after ? task[0].shape[i - picked + 1]
                  : task[1].shape[i - a.axis + a.batch_dims]);
  }
}

void run(const Task& task) {
  const auto a = task.as<presil_gather_attributes>();
  const Tensor &x = task[0], &indices = task[1];
  const uint32_t extent = x.shape[a.axis];
  const uint64_t batches = extents(x, 0, a.batch_dims), outer = extents(x, a.batch_dims, a.axis);
  const uint64_t picked = extents(indices, a.batch_dims, indices.rank);
  const uint64_t row = extents(x, a.axis + 1, x.rank) * presil_dtype_bytes(x.dtype);
  const uint8_t* from = static_cast<const uint8_t*>(x.data);
  uint8_t* to = static_cast<uint8_t*>(task[2].data);
  for (uint64_t batch = 0; batch < batches; ++batch) {
    for (uint64_t o = 0; o < outer; ++o, from += extent * row) {
      for (uint64_t i = 0; i < picked; ++i, to += row) {
        const int64_t at = load_index_inside(indices, batch * picked + i, extent);
        std::memcpy(to, from + static_cast<uint64_t>(at) * row, row);
      }
    }
  }
}

}  // namespace

// {x, indices i32|i64, y}: y [x axes before `axis`.., indices axes after batch_dims.., x axes
// after..] = x at each index, the nearest inside; presil_gather_attributes.
const Kernel kGather{"gather", sizeof(presil_gather_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
