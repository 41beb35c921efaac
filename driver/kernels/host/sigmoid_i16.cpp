// Sigmoid and tanh of int16.
#include "driver/kernels/host/kernel.h"
#include "driver/kernels/host/sigmoid.h"

namespace presil::kernels {
namespace {

void check(const Task& task, Check& c) {
  if (!c.count(3)) return;
  c.dtype(0, PRESIL_INT16);
  c.dtype(1, PRESIL_INT32);
  c.dtype(2, PRESIL_INT16);
  c.elements(1, 256);
  c.elements(2, presil_tensor_elements(&task[0]));
  const auto a = task.as<presil_sigmoid_attributes>();
  c.range("tanh", a.tanh, 0, 1);
  c.range("multiplier", a.multiplier, 0, 65535);
  c.range("shift", a.shift, 0, 31);
}

void run(const Task& task) {
  const auto a = task.as<presil_sigmoid_attributes>();
  const int16_t* x = task.data<const int16_t>(0);
  const int32_t* table = task.data<const int32_t>(1);
  int16_t* y = task.data<int16_t>(2);
  const int64_t half = a.shift > 0 ? int64_t{1} << (a.shift - 1) : 0;
  const uint64_t n = presil_tensor_elements(&task[2]);
  for (uint64_t i = 0; i < n; ++i) {
    const int32_t v = saturate32((int64_t{x[i]} * a.multiplier + half) >> a.shift);
    y[i] = static_cast<int16_t>(a.tanh != 0 ? tanh_i16(table, v) : sigmoid_i16(table, v));
  }
}

}  // namespace

// {x i16, table i32 [256], y i16}: y in steps of 2^-15; presil_sigmoid_attributes.
const Kernel kSigmoidI16{"sigmoid_i16",   sizeof(presil_sigmoid_attributes), 1, check, run,
                         elements_written};

}  // namespace presil::kernels
