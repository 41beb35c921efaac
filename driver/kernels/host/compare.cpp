// Whether something holds between two values; the list is enum presil_compare.
#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/plain.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  const auto a = task.as<presil_compare_attributes>();
  c.range("function", a.function, 0, PRESIL_COMPARES - 1);
  c.range("scaled", a.scaled, 0, 1);
  check_stored(task, c, 0);
  c.dtype(1, task[0].dtype);
  c.dtype(2, PRESIL_BOOL);
  c.broadcasts(0, 2);
  c.broadcasts(1, 2);
  if (a.scaled == 0) return;
  c.dtype(0, PRESIL_INT8);
  c.range("a_zero", a.a_zero, -128, 127);
  c.range("b_zero", a.b_zero, -128, 127);
  c.range("a_shift", a.a_shift, -31, 0);
  c.range("b_shift", a.b_shift, -31, 0);
}

template <class T>
bool holds(uint32_t function, T u, T v) {
  switch (function) {
    case PRESIL_COMPARE_EQUAL:
      return u == v;
    case PRESIL_COMPARE_NOT_EQUAL:
      return u != v;
    case PRESIL_COMPARE_GREATER:
      return u > v;
    case PRESIL_COMPARE_GREATER_EQUAL:
      return u >= v;
    case PRESIL_COMPARE_LESS:
      return u < v;
    default:
      return u <= v;
  }
}

template <class T, class F>
void each(const Task& task, const F& f) {
  const T* a = task.data<const T>(0);
  const T* b = task.data<const T>(1);
  uint8_t* y = task.data<uint8_t>(2);
  Walk<2> walk;
  walk.rank = task[2].rank;
  for (uint32_t i = 0; i < walk.rank; ++i) walk.shape[i] = task[2].shape[i];
  broadcast_strides(task[0], walk.rank, walk.stride[0]);
  broadcast_strides(task[1], walk.rank, walk.stride[1]);
  const uint64_t n = walk.size();
  for (uint64_t i = 0; i < n; ++i, walk.next()) y[i] = f(a[walk.at[0]], b[walk.at[1]]) ? 1 : 0;
}

void run(const Task& task) {
  const auto p = task.as<presil_compare_attributes>();
  if (p.scaled != 0) {
    return each<int8_t>(task, [&p](int8_t u, int8_t v) {
      return holds(p.function, double_rounding((u - p.a_zero) * 256, p.a_mult, p.a_shift),
                   double_rounding((v - p.b_zero) * 256, p.b_mult, p.b_shift));
    });
  }
  for_stored_type(task[0].dtype, [&](auto type) {
    using T = decltype(type);
    each<T>(task, [&p](T u, T v) { return holds(p.function, u, v); });
  });
}

}  // namespace

// {a, b, y bool}, a and b of any one type, numpy broadcasting; presil_compare_attributes.
const Kernel kCompare{"compare",       sizeof(presil_compare_attributes), 1, check, run,
                      elements_written};

}  // namespace presil::kernels
