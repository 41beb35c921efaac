// Sum of x - in_zero over some axes, then rule, zero point, clamp: of a mean the multiplier holds
// 1 / count. int8 and int16.
#include "driver/kernels/host/reduce.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c, uint32_t dtype) {
  if (!c.count(2)) return;
  c.dtype(0, dtype);
  c.dtype(1, dtype);
  const auto a = task.as<presil_mean_attributes>();
  const bool own =
      a.rule == (dtype == PRESIL_INT16 ? PRESIL_RULE_FLOAT_AWAY : PRESIL_RULE_FLOAT_THEN_ZERO);
  if (!own) {
    c.range("rule", a.rule, PRESIL_RULE_DOUBLE, PRESIL_RULE_FLOAT);
  }
  c.range("shift", a.shift, -31, 30);
  check_axes(task, c, a.axes);
}

void check_i8(const Task& task, Check& c) {
  check(task, c, PRESIL_INT8);
  if (!c.ok()) return;
  const auto a = task.as<presil_mean_attributes>();
  c.range("in_zero", a.in_zero, -128, 127);
  c.range("out_zero", a.out_zero, -128, 127);
  c.clamp(a.act_min, a.act_max);
}

void check_i16(const Task& task, Check& c) {
  check(task, c, PRESIL_INT16);
  if (!c.ok()) return;
  const auto a = task.as<presil_mean_attributes>();
  c.range("in_zero", a.in_zero, 0, 0);
  c.range("out_zero", a.out_zero, 0, 0);
  c.clamp16(a.act_min, a.act_max);
}

template <class T>
void run(const Task& task) {
  const auto a = task.as<presil_mean_attributes>();
  T* y = task.data<T>(1);
  each_reduced<T>(
      task, a.axes, int32_t{0}, [&a](int32_t sum, T x) { return wrap_add(sum, x - a.in_zero); },
      [&a, y](uint64_t i, int32_t sum) {
        int64_t v = int64_t{double_rounding(sum, a.multiplier, a.shift)} + a.out_zero;
        if (a.rule != PRESIL_RULE_DOUBLE) {
          float scale;
          std::memcpy(&scale, &a.multiplier, sizeof scale);
          const float product = static_cast<float>(sum) * scale;
          v = a.rule == PRESIL_RULE_FLOAT ? round_even(product + static_cast<float>(a.out_zero))
                                          : int64_t{round_even(product)} + a.out_zero;
        }
        y[i] = static_cast<T>(clamp(v, a.act_min, a.act_max));
      });
}

void run_i16(const Task& task) {
  const auto a = task.as<presil_mean_attributes>();
  if (a.rule != PRESIL_RULE_FLOAT_AWAY) return run<int16_t>(task);
  float scale;
  std::memcpy(&scale, &a.multiplier, sizeof scale);
  int16_t* y = task.data<int16_t>(1);
  each_reduced<int16_t>(
      task, a.axes, int64_t{0}, [](int64_t sum, int16_t x) { return sum + x; },
      [&a, scale, y](uint64_t i, int64_t sum) {
        const int32_t v = round_away(static_cast<float>(sum) * scale);
        y[i] = static_cast<int16_t>(clamp(v, a.act_min, a.act_max));
      });
}

}  // namespace

// {x i8, y i8}: sum over the axes of the mask, then rule; presil_mean_attributes.
const Kernel kMeanI8{"mean_i8",    sizeof(presil_mean_attributes), 1, check_i8, run<int8_t>,
                     elements_read};
// MEAN of int16: zeros 0; sums with float requantisation are of 64 bits.
const Kernel kMeanI16{"mean_i16",   sizeof(presil_mean_attributes), 1, check_i16, run_i16,
                      elements_read};

}  // namespace presil::kernels
