// Functions of two stored integers that look at bits, and quotients; the list is enum presil_bits.
#include "driver/kernels/host/plain.h"
#include "driver/kernels/host/walk.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  const auto a = task.as<presil_bits_attributes>();
  c.range("function", a.function, 0, PRESIL_BITS - 1);
  for (uint32_t i = 0; i < 3; ++i) {
    check_plain(task, c, i);
    c.dtype(i, task[0].dtype);
  }
  if (a.function == PRESIL_BITS_MUL_SHIFT) {
    c.dtype(0, PRESIL_INT32);
    c.range("shift", a.shift, 1, 63);
  }
  c.broadcasts(0, 2);
  c.broadcasts(1, 2);
}

template <class T, class F>
void each(const Task& task, const F& f) {
  const T *a = task.data<const T>(0), *b = task.data<const T>(1);
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

template <class T>
void run_as(const Task& task, const presil_bits_attributes& a) {
  switch (a.function) {
    case PRESIL_BITS_XOR:
      return each<T>(task, [](int64_t u, int64_t v) { return u ^ v; });
    case PRESIL_BITS_SHIFT_LEFT:
      return each<T>(task, [](int64_t u, int64_t v) {
        return static_cast<int64_t>(static_cast<uint64_t>(u) << (v & 63));
      });
    case PRESIL_BITS_SHIFT_RIGHT:
      return each<T>(task, [](int64_t u, int64_t v) { return u >> (v & 63); });
    case PRESIL_BITS_SHIFT_RIGHT_ROUND:
      return each<T>(task, [](int64_t u, int64_t v) {
        return (v & 63) == 0 ? u : ((u >> ((v & 63) - 1)) + 1) >> 1;
      });
    case PRESIL_BITS_SHIFT_RIGHT_LOGICAL:
      return each<T>(task, [](int64_t u, int64_t v) {
        constexpr uint64_t kAll = ~uint64_t{0} >> (64 - 8 * sizeof(T));
        return static_cast<int64_t>((static_cast<uint64_t>(u) & kAll) >> (v & 63));
      });
    case PRESIL_BITS_DIV:
      return each<T>(task, [](int64_t u, int64_t v) {
        if (v == 0) return int64_t{0};
        return v == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(u)) : u / v;
      });
    default:
      return each<T>(task, [&a](int64_t u, int64_t v) {
        const auto p = static_cast<int64_t>(static_cast<uint64_t>(u) * static_cast<uint64_t>(v));
        return a.shift == 0 ? p : (p >> a.shift) + ((p >> (a.shift - 1)) & 1);
      });
  }
}

void run(const Task& task) {
  const auto a = task.as<presil_bits_attributes>();
  for_plain_type(task[0].dtype, [&](auto type) { run_as<decltype(type)>(task, a); });
}

}  // namespace

// {a, b, y}, one type of integers, numpy broadcasting; presil_bits_attributes.
const Kernel kBits{"bits", sizeof(presil_bits_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
