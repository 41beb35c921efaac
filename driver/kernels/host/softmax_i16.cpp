// Softmax over the last axis in 16 bits: exponential and reciprocal are tables of 513 points.
//   t[v]  = p + (((v & 127) * (next - p) + 64) >> 7), p = table[256 + (v >> 7)]
//   e(x)  = exponential[saturated double_rounding(x - max) + 32767]
//   sum   = m * 2^(17 - zeros) in 17 bits, m = ((sum << (zeros - 1)) + 2^13) >> 14
//   y     = (e * reciprocal[saturated m - 98304] + half) >> (31 - zeros), 0..32767
#include "driver/kernels/host/arithmetic.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

constexpr uint32_t kPoints = 513, kMostValues = 65535;  // as many of 32767 fit a sum

int32_t to_int16(int64_t v) {
  return static_cast<int32_t>(clamp(v, INT16_MIN, INT16_MAX));
}

int32_t look_up(const int16_t* table, int32_t v) {
  const int16_t* p = table + 256 + (v >> 7);
  return to_int16(p[0] + (((v & 127) * (p[1] - p[0]) + 64) >> 7));
}

void check(const Task& task, Check& c) {
  if (!c.count(4)) return;
  for (uint32_t i = 0; i < 4; ++i) c.dtype(i, PRESIL_INT16);
  c.at_least("rank", task[0].rank, 1);
  c.elements(1, kPoints);
  c.elements(2, kPoints);
  c.elements(3, presil_tensor_elements(&task[0]));
  const auto a = task.as<presil_softmax_i16_attributes>();
  c.at_least("multiplier", a.multiplier, 0);
  c.range("shift", a.shift, -31, 15);
  if (c.ok()) c.at_most("size of the last axis", task[0].shape[task[0].rank - 1], kMostValues);
}

void run(const Task& task) {
  const auto a = task.as<presil_softmax_i16_attributes>();
  const uint32_t depth = task[0].shape[task[0].rank - 1];
  const uint64_t rows = presil_tensor_elements(&task[0]) / depth;
  const int16_t* x = task.data<const int16_t>(0);
  int16_t* y = task.data<int16_t>(3);
  for (uint64_t row = 0; row < rows; ++row, x += depth, y += depth) {
    int32_t largest = INT16_MIN;
    for (uint32_t i = 0; i < depth; ++i) largest = x[i] > largest ? x[i] : largest;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < depth; ++i) {
      const int64_t d = int64_t{double_rounding(x[i] - largest, a.multiplier, a.shift)} + INT16_MAX;
      const int32_t e = look_up(task.data<const int16_t>(1), to_int16(d));
      y[i] = static_cast<int16_t>(e);
      sum += static_cast<uint32_t>(e < 0 ? 0 : e);
    }
    int zeros = 1;  // a sum of nothing, which a table of exponentials does not make
    while (zeros < 31 && (sum << zeros >> 31) == 0) ++zeros;
    const int64_t m = ((int64_t{sum} << (zeros - 1)) + (1 << 13)) >> 14;
    const int64_t inverse = look_up(task.data<const int16_t>(2), to_int16(m - 98304));
    const int right = 31 - zeros;
    const int64_t half = right > 0 ? int64_t{1} << (right - 1) : 0;
    for (uint32_t i = 0; i < depth; ++i) {
      y[i] = static_cast<int16_t>(clamp((y[i] * inverse + half) >> right, 0, INT16_MAX));
    }
  }
}

}  // namespace

// {x i16, exponential i16 [513], reciprocal i16 [513], y i16}: over the last axis, y in steps of
// 2^-15; presil_softmax_i16_attributes.
const Kernel kSoftmaxI16{"softmax_i16",   sizeof(presil_softmax_i16_attributes), 1, check, run,
                         elements_written};

}  // namespace presil::kernels
