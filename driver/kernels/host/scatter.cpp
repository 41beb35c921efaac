// Rows of x replaced: row indices[n, i] of y[n] is updates[n, i], the others are those of x.
#include "driver/kernels/host/plain.h"

namespace presil::kernels {
namespace {

enum : uint32_t { kX, kIndices, kUpdates, kY, kTensors };

void check(const Task& task, Check& c) {
  if (!c.count(kTensors)) return;
  check_stored(task, c, kX);
  c.rank(kX, 3);
  c.dtype(kIndices, PRESIL_INT32);
  c.rank(kIndices, 2);
  c.dtype(kUpdates, task[kX].dtype);
  c.rank(kUpdates, 3);
  c.dtype(kY, task[kX].dtype);
  c.rank(kY, 3);
  if (!c.ok()) return;
  const uint32_t* x = task[kX].shape;
  c.dim(kIndices, 0, x[0]);
  c.dim(kUpdates, 0, x[0]);
  c.dim(kUpdates, 1, task[kIndices].shape[1]);
  c.dim(kUpdates, 2, x[2]);
  for (uint32_t axis = 0; axis < 3; ++axis) c.dim(kY, axis, x[axis]);
}

void run(const Task& task) {
  const uint32_t* x = task[kX].shape;
  const uint64_t row = uint64_t{x[2]} * presil_dtype_bytes(task[kX].dtype);
  const uint32_t picked = task[kIndices].shape[1];
  auto* y = task.data<uint8_t>(kY);
  std::memcpy(y, task[kX].data, presil_tensor_bytes(&task[kX]));
  const uint8_t* from = task.data<const uint8_t>(kUpdates);
  const int32_t* index = task.data<const int32_t>(kIndices);
  for (uint32_t n = 0; n < x[0]; ++n) {
    for (uint32_t i = 0; i < picked; ++i, from += row, ++index) {
      if (*index < 0 || static_cast<uint32_t>(*index) >= x[1]) continue;
      std::memcpy(y + (uint64_t{n} * x[1] + static_cast<uint32_t>(*index)) * row, from, row);
    }
  }
}

}  // namespace

// {x [n, k, c], indices i32 [n, w], updates [n, w, c], y [n, k, c]}, any one type; an index outside
// x writes nothing, of equal ones the last counts; no attributes.
const Kernel kScatter{"scatter", 0, 1, check, run, elements_written};

}  // namespace presil::kernels
