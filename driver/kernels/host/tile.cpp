// x again and again along each axis, as often as y is larger; any type.
#include "driver/kernels/host/kernel.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  c.dtype(1, task[0].dtype);
  c.rank(1, task[0].rank);
  for (uint32_t axis = 0; axis < task[0].rank && c.ok(); ++axis) {
    const int64_t left_over = task[1].shape[axis] % task[0].shape[axis];
    if (left_over != 0) c.refuse("elements over", 1, left_over, 0);
  }
}

// Every element of x is written wherever it appears: the copies of one axis after another.
void run(const Task& task) {
  const Tensor &x = task[0], &y = task[1];
  const uint32_t size = presil_dtype_bytes(x.dtype);
  uint8_t* to = static_cast<uint8_t*>(y.data);
  // x itself in the corner of y, then from the last axis on what is there is repeated.
  Walk<1> walk;
  walk.rank = x.rank;
  dense_strides(y, walk.stride[0]);
  for (uint32_t axis = 0; axis < x.rank; ++axis) walk.shape[axis] = x.shape[axis];
  const uint8_t* from = static_cast<const uint8_t*>(x.data);
  const uint64_t n = walk.size();
  for (uint64_t i = 0; i < n; ++i, walk.next()) {
    std::memcpy(to + walk.at[0] * size, from + i * size, size);
  }
  for (uint32_t axis = x.rank; axis-- > 0;) {
    Walk<1> rows;  // where the axes before have values yet
    rows.rank = axis;
    for (uint32_t k = 0; k < axis; ++k) rows.shape[k] = x.shape[k];
    for (uint32_t k = 0; k < axis; ++k) rows.stride[0][k] = walk.stride[0][k] * size;
    const uint64_t piece = static_cast<uint64_t>(walk.stride[0][axis]) * x.shape[axis] * size;
    const uint32_t times = y.shape[axis] / x.shape[axis];
    const uint64_t count = rows.size();
    for (uint64_t i = 0; i < count; ++i, rows.next()) {
      uint8_t* row = to + rows.at[0];
      for (uint32_t t = 1; t < times; ++t) std::memcpy(row + t * piece, row, piece);
    }
  }
}

}  // namespace

// {x, y}, any type, same rank: y = x as often along each axis as y is larger. No attributes.
const Kernel kTile{"tile", 0, 1, check, run, elements_written};

}  // namespace presil::kernels
