// The first values of each sequence from the last of them on; any type. A length outside is the
// nearest inside.
#include "driver/kernels/host/indices.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  check_indices(task, c, 1);
  const auto a = task.as<presil_reverse_sequence_attributes>();
  const Tensor &x = task[0], &y = task[2];
  c.dtype(2, x.dtype);
  c.rank(2, x.rank);
  c.at_most("axis", a.axis, static_cast<int64_t>(x.rank) - 1);
  c.at_most("batch_axis", a.batch_axis, static_cast<int64_t>(x.rank) - 1);
  if (a.axis == a.batch_axis) c.refuse("batch_axis", -1, a.batch_axis, a.axis + 1);
  for (uint32_t i = 0; c.ok() && i < x.rank; ++i) c.dim(2, i, x.shape[i]);
  if (c.ok() && y.rank == x.rank) c.elements(1, x.shape[a.batch_axis]);
}

/// Elements after an axis.
uint64_t step_of(const Tensor& t, uint32_t axis) {
  uint64_t n = 1;
  for (uint32_t i = axis + 1; i < t.rank; ++i) n *= t.shape[i];
  return n;
}

void run(const Task& task) {
  const auto a = task.as<presil_reverse_sequence_attributes>();
  const Tensor& x = task[0];
  const uint64_t size = presil_dtype_bytes(x.dtype), elements = presil_tensor_elements(&x);
  const uint32_t extent = x.shape[a.axis], batches = x.shape[a.batch_axis];
  const uint64_t step = step_of(x, a.axis), batch_step = step_of(x, a.batch_axis);
  const uint8_t* from = task.data<const uint8_t>(0);
  uint8_t* to = task.data<uint8_t>(2);
  for (uint64_t i = 0; i < elements; ++i) {
    const int64_t p = static_cast<int64_t>(i / step % extent);
    const int64_t n = clamp(load_index(task[1], i / batch_step % batches), 0, extent);
    const int64_t source = p < n ? n - 1 - p : p;
    const int64_t at = static_cast<int64_t>(i) + (source - p) * static_cast<int64_t>(step);
    std::memcpy(to + i * size, from + static_cast<uint64_t>(at) * size, size);
  }
}

}  // namespace

// {x, lengths i32|i64 [x[batch_axis]], y}, x and y of any one type and shape: y = x, but the first
// lengths[b] values along the axis in reverse; presil_reverse_sequence_attributes.
const Kernel kReverseSequence{
    "reverse_sequence", sizeof(presil_reverse_sequence_attributes), 1, check, run,
    elements_written};

}  // namespace presil::kernels
