// Sum, product, largest and smallest of stored integers along some axes.
#include "driver/kernels/host/reduce.h"

#include "driver/kernels/host/plain.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  check_plain(task, c, 0);
  c.dtype(1, task[0].dtype);
  const auto a = task.as<presil_reduce_attributes>();
  c.range("function", a.function, 0, PRESIL_REDUCES - 1);
  check_axes(task, c, a.axes);
}

template <class T>
void run_as(const Task& task, const presil_reduce_attributes& a) {
  T* y = task.data<T>(1);
  if (a.function == PRESIL_REDUCE_SUM) {
    return each_reduced<T>(
        task, a.axes, uint64_t{0}, [](uint64_t sum, T x) { return sum + static_cast<uint64_t>(x); },
        [y](uint64_t i, uint64_t sum) { y[i] = static_cast<T>(sum); });
  }
  if (a.function == PRESIL_REDUCE_PROD) {
    return each_reduced<T>(
        task, a.axes, uint64_t{1},
        [](uint64_t product, T x) { return product * static_cast<uint64_t>(x); },
        [y](uint64_t i, uint64_t product) { y[i] = static_cast<T>(product); });
  }
  // The first value begins: whether there was one is the flag.
  struct Best {
    bool any;
    T value;
  };
  const bool max = a.function == PRESIL_REDUCE_MAX;
  each_reduced<T>(
      task, a.axes, Best{false, 0},
      [max](Best best, T x) {
        const bool better = !best.any || (max ? x > best.value : x < best.value);
        return better ? Best{true, x} : best;
      },
      [y](uint64_t i, Best best) { y[i] = best.value; });
}

void run(const Task& task) {
  const auto a = task.as<presil_reduce_attributes>();
  for_plain_type(task[0].dtype, [&](auto type) { run_as<decltype(type)>(task, a); });
}

}  // namespace

// {x, y}, one type of integers or bool: stored values along the axes of the mask to one;
// presil_reduce_attributes.
const Kernel kReduce{"reduce", sizeof(presil_reduce_attributes), 1, check, run, elements_read};

}  // namespace presil::kernels
