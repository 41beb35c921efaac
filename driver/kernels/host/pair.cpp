// Functions of two stored integers; the list is enum presil_pair.
#include "driver/kernels/host/plain.h"
#include "driver/kernels/host/walk.h"

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

template <class T, class F>
void each(const Task& task, const F& f) {
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
    y[i] = static_cast<T>(f(a[walk.at[0]], b[walk.at[1]]));
  }
}

uint64_t bits(int64_t v) {
  return static_cast<uint64_t>(v);
}

int64_t floor_of_quotient(int64_t u, int64_t v) {
  if (v == 0) return 0;
  if (v == -1) return static_cast<int64_t>(0 - bits(u));
  const int64_t cut = u / v;
  return cut * v != u && (u ^ v) < 0 ? cut - 1 : cut;
}

template <class T>
void run_as(const Task& task, uint32_t function) {
  switch (function) {
    case PRESIL_PAIR_MAXIMUM:
      return each<T>(task, [](T u, T v) { return u > v ? u : v; });
    case PRESIL_PAIR_MINIMUM:
      return each<T>(task, [](T u, T v) { return u < v ? u : v; });
    case PRESIL_PAIR_ADD:
      return each<T>(task, [](int64_t u, int64_t v) { return bits(u) + bits(v); });
    case PRESIL_PAIR_SUB:
      return each<T>(task, [](int64_t u, int64_t v) { return bits(u) - bits(v); });
    case PRESIL_PAIR_MUL:
      return each<T>(task, [](int64_t u, int64_t v) { return bits(u) * bits(v); });
    case PRESIL_PAIR_FLOOR_DIV:
      return each<T>(task, floor_of_quotient);
    case PRESIL_PAIR_FLOOR_MOD:
      return each<T>(task, [](int64_t u, int64_t v) {
        return v == 0 ? 0 : bits(u) - bits(v) * bits(floor_of_quotient(u, v));
      });
    case PRESIL_PAIR_AND:
      return each<T>(task, [](int64_t u, int64_t v) { return u & v; });
    default:
      return each<T>(task, [](int64_t u, int64_t v) { return u | v; });
  }
}

void run(const Task& task) {
  const uint32_t function = task.as<presil_pair_attributes>().function;
  for_plain_type(task[0].dtype, [&](auto type) { run_as<decltype(type)>(task, function); });
}

}  // namespace

// {a, b, y}, one type of integers or bool, numpy broadcasting: a function of two stored values;
// presil_pair_attributes.
const Kernel kPair{"pair", sizeof(presil_pair_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
