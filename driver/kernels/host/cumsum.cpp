// Sums along one axis: int8 in fixed point, integers that wrap, floats one after the other.
#include "driver/kernels/host/float_math.h"
#include "driver/kernels/host/integers.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(2)) return;
  const auto a = task.as<presil_cumsum_attributes>();
  const uint32_t type = task[0].dtype;
  const bool taken =
      type == PRESIL_INT8 || type == PRESIL_INT32 || type == PRESIL_INT64 || type == PRESIL_FLOAT32;
  if (!taken) c.refuse("type", 0, type, PRESIL_INT8);
  c.dtype(1, type);
  c.rank(1, task[0].rank);
  c.range("axis", a.axis, 0, static_cast<int64_t>(task[0].rank) - 1);
  c.range("exclusive", a.exclusive, 0, 1);
  c.range("reverse", a.reverse, 0, 1);
  c.range("in_zero", a.in_zero, -128, 127);
  c.range("out_zero", a.out_zero, -128, 127);
  for (uint32_t i = 0; c.ok() && i < task[0].rank; ++i) c.dim(1, i, task[0].shape[i]);
}

/// y = shown(sum) along the axis, the sum from `first` on by add(sum, x).
template <class T, class Sum, class Add, class Show>
void run_as(const Task& task, Sum first, Add add, Show shown) {
  const auto a = task.as<presil_cumsum_attributes>();
  const Tensor& x = task[0];
  uint64_t inner = 1;
  for (uint32_t i = a.axis + 1; i < x.rank; ++i) inner *= x.shape[i];
  const uint64_t depth = x.shape[a.axis];
  const uint64_t rows = presil_tensor_elements(&x) / depth;
  for (uint64_t row = 0; row < rows; ++row) {
    const uint64_t base = row / inner * depth * inner + row % inner;
    const T* from = task.data<const T>(0) + base;
    T* to = task.data<T>(1) + base;
    Sum sum = first;
    for (uint64_t i = 0; i < depth; ++i) {
      const uint64_t at = (a.reverse ? depth - 1 - i : i) * inner;
      const T value = from[at];
      if (a.exclusive) to[at] = shown(sum);
      sum = add(sum, value);
      if (!a.exclusive) to[at] = shown(sum);
    }
  }
}

template <class T>
void run_whole(const Task& task) {
  run_as<T>(
      task, uint64_t{0}, [](uint64_t sum, T v) { return sum + static_cast<uint64_t>(v); },
      [](uint64_t sum) { return static_cast<T>(sum); });
}

void run(const Task& task) {
  const auto a = task.as<presil_cumsum_attributes>();
  switch (task[0].dtype) {
    case PRESIL_INT32:
      return run_whole<int32_t>(task);
    case PRESIL_INT64:
      return run_whole<int64_t>(task);
    case PRESIL_FLOAT32:
      return run_as<float>(
          task, 0.0f, [](float sum, float v) { return sum + v; },
          [](float sum) { return number_or_nan(sum); });
    default:
      return run_as<int8_t>(
          task, wrap_mul(-a.in_zero, 1 << 19),
          [&a](int32_t sum, int8_t v) { return wrap_add(sum, (v - a.in_zero) * (1 << 19)); },
          [&a](int32_t sum) {
            return finish(double_rounding(sum, a.multiplier, a.shift), a.out_zero, -128, 127);
          });
  }
}

}  // namespace

// {x, y}, one type of i8, i32, i64, f32, one shape; presil_cumsum_attributes.
const Kernel kCumsum{"cumsum", sizeof(presil_cumsum_attributes), 1, check, run, elements_written};

}  // namespace presil::kernels
