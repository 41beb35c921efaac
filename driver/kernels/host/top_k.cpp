// The largest stored numbers of each row, largest first, the first of equal ones first; what is no
// number comes last.
#include "driver/kernels/host/plain.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  check_stored(task, c, 0);
  c.dtype(1, task[0].dtype);
  c.dtype(2, PRESIL_INT32);
  c.at_least("rank", task[0].rank, 1);
  c.rank(1, task[0].rank);
  c.rank(2, task[0].rank);
  if (!c.ok()) return;
  const uint32_t last = task[0].rank - 1;
  for (uint32_t i = 0; i < last; ++i) c.dim(1, i, task[0].shape[i]);
  c.at_most("values of a row", task[1].shape[last], task[0].shape[last]);
  c.elements(2, presil_tensor_elements(&task[1]));
}

/// Does value u at i come before value v at j?
template <class T>
bool before(T u, uint32_t i, T v, uint32_t j) {
  const bool none_u = !(u == u), none_v = !(v == v);
  if (none_u || none_v) return none_u == none_v ? i < j : none_v;
  return u > v || (u == v && i < j);
}

template <class T>
void run_as(const Task& task) {
  const uint32_t depth = task[0].shape[task[0].rank - 1], kept = task[1].shape[task[0].rank - 1];
  const T* x = task.data<const T>(0);
  T* y = task.data<T>(1);
  int32_t* index = task.data<int32_t>(2);
  for (uint64_t row = presil_tensor_elements(&task[1]) / kept; row > 0; --row) {
    // Each is the first of those that follow the one before it.
    for (uint32_t k = 0; k < kept; ++k) {
      uint32_t best = depth;
      for (uint32_t i = 0; i < depth; ++i) {
        const bool later = k == 0 || before(y[k - 1], static_cast<uint32_t>(index[k - 1]), x[i], i);
        if (later && (best == depth || before(x[i], i, x[best], best))) best = i;
      }
      y[k] = x[best];
      index[k] = static_cast<int32_t>(best);
    }
    x += depth, y += kept, index += kept;
  }
}

void run(const Task& task) {
  for_stored_type(task[0].dtype, [&](auto type) { run_as<decltype(type)>(task); });
}

uint64_t values_seen(const Task& task) {
  return presil_tensor_elements(&task[0]) * task[1].shape[task[1].rank - 1];
}

}  // namespace

// {x, y, indices i32}, x and y of any one type, of the last axis as many as y has: the largest
// stored numbers of each row and where they are. No attributes.
const Kernel kTopK{"top_k", 0, 2, check, run, values_seen};

}  // namespace presil::kernels
