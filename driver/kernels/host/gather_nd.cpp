// Values of x, or all after some of its axes, by rows of numbers; any type. A number outside its
// axis is the nearest inside.
#include "driver/kernels/host/indices.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  check_indices(task, c, 1);
  c.dtype(2, task[0].dtype);
  const Tensor &x = task[0], &indices = task[1];
  c.at_least("rank of indices", indices.rank, 1);
  if (!c.ok()) return;
  const uint32_t last = indices.rank - 1, named = indices.shape[last];
  c.at_most("numbers in a row", named, x.rank);
  if (!c.ok()) return;
  c.rank(2, last + x.rank - named);
  for (uint32_t i = 0; c.ok() && i < task[2].rank; ++i) {
    c.dim(2, i, i < last ? indices.shape[i] : x.shape[i - last + named]);
  }
}

void run(const Task& task) {
  const Tensor &x = task[0], &indices = task[1];
  const uint32_t named = indices.shape[indices.rank - 1];
  uint64_t piece = presil_dtype_bytes(x.dtype);
  for (uint32_t i = named; i < x.rank; ++i) piece *= x.shape[i];
  const uint64_t rows = presil_tensor_elements(&indices) / named;
  uint8_t* to = static_cast<uint8_t*>(task[2].data);
  for (uint64_t row = 0; row < rows; ++row, to += piece) {
    uint64_t at = 0;
    for (uint32_t i = 0; i < named; ++i) {
      const int64_t index = load_index_inside(indices, row * named + i, x.shape[i]);
      at = at * x.shape[i] + static_cast<uint64_t>(index);
    }
    std::memcpy(to, static_cast<const uint8_t*>(x.data) + at * piece, piece);
  }
}

}  // namespace

// {x, indices i32|i64 [.., k], y [.., x axes from k on]}: y = x[row of indices], each the
// nearest inside. No attributes.
const Kernel kGatherNd{"gather_nd", 0, 1, check, run, elements_written};

}  // namespace presil::kernels
