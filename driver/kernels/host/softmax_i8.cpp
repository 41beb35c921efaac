// Softmax over the last axis in fixed point, the integer rule of TFLite's kernels.
// With a table, the rule of LiteRT's: table[d] is the exponential of d steps below the row's
// largest; in float32 and in this order sum = that of the row, r = 1 / (sum * (1 / 256)),
// y = e * r to the nearest, halves up, - 128. No attribute counts then.
//
// Notation: a value "Qi" is an int32 with i integer bits and 31 - i fraction bits; the product of
// Qi and Qj is Q(i+j), made by the doubling high multiplication.
//   e(x)   = exp((x - max) * scale * beta) as Q0, for x - max >= diff_min, else 0
//   sum    = sum of e as Q12
//   y      = e / sum in steps of 1/256, minus 128
#include "driver/kernels/host/exponential.h"
#include "driver/kernels/host/kernel.h"

namespace presil::kernels {
namespace {

bool by_table(const Task& task) {
  return task.count == 3;
}

void check(const Task& task, Check& c) {
  if (!by_table(task) && !c.count(2)) return;
  const uint32_t y = task.count - 1;
  c.dtype(0, PRESIL_INT8);
  c.dtype(y, PRESIL_INT8);
  c.at_least("rank", task[0].rank, 1);
  c.elements(y, presil_tensor_elements(&task[0]));
  if (by_table(task)) {
    c.dtype(1, PRESIL_FLOAT32);
    c.elements(1, 256);
    return;
  }
  const auto a = task.as<presil_softmax_attributes>();
  c.at_least("multiplier", a.multiplier, 1);
  c.range("left_shift", a.left_shift, 0, 31);
  c.range("diff_min", a.diff_min, -(int64_t{1} << 31), 0);
  // The Q12 sum holds 4095 terms of at most 1.
  if (c.ok()) c.at_most("size of the last axis", task[0].shape[task[0].rank - 1], 4095);
}

void run_by_table(const Task& task) {
  const uint32_t depth = task[0].shape[task[0].rank - 1];
  const uint64_t rows = presil_tensor_elements(&task[0]) / depth;
  const int8_t* x = task.data<const int8_t>(0);
  const float* table = task.data<const float>(1);
  int8_t* y = task.data<int8_t>(2);
  for (uint64_t row = 0; row < rows; ++row, x += depth, y += depth) {
    int32_t largest = -128;
    for (uint32_t i = 0; i < depth; ++i) largest = x[i] > largest ? x[i] : largest;
    float sum = 0.0f;
    for (uint32_t i = 0; i < depth; ++i) sum = sum + table[largest - x[i]];
    const float r = 1.0f / (sum * (1.0f / 256));
    for (uint32_t i = 0; i < depth; ++i) {
      const float share = table[largest - x[i]] * r;  // 0 .. 256
      // A table that is none leads anywhere.
      int32_t v = share >= 0.0f && share < 256.0f ? static_cast<int32_t>(share) : 0;
      if (share >= 256.0f) v = 256;
      if (share - static_cast<float>(v) >= 0.5f) ++v;
      y[i] = static_cast<int8_t>(clamp(v - 128, -128, 127));
    }
  }
}

void run(const Task& task) {
  if (by_table(task)) return run_by_table(task);
  const auto a = task.as<presil_softmax_attributes>();
  const uint32_t depth = task[0].shape[task[0].rank - 1];
  const uint64_t rows = presil_tensor_elements(&task[0]) / depth;
  const int8_t* x = task.data<const int8_t>(0);
  int8_t* y = task.data<int8_t>(1);
  const auto e = [&a](int32_t diff) {
    const int64_t shifted = static_cast<int64_t>(diff) * (int64_t{1} << a.left_shift);
    return exp_negative(mul(saturate32(shifted), a.multiplier));
  };
  for (uint64_t row = 0; row < rows; ++row, x += depth, y += depth) {
    int32_t largest = -128;
    for (uint32_t i = 0; i < depth; ++i) largest = x[i] > largest ? x[i] : largest;
    int32_t sum = 0;
    for (uint32_t i = 0; i < depth; ++i) {
      const int32_t diff = x[i] - largest;
      if (diff >= a.diff_min) sum = wrap_add(sum, rounding_divide_pot(e(diff), kSumIntegerBits));
    }
    // sum = (1 + fraction) * 2^over with the one in the sign bit's place
    const int zeros = leading_zeros(static_cast<uint32_t>(sum));
    const int over = kSumIntegerBits - zeros;
    const uint32_t fraction = (static_cast<uint32_t>(sum) << zeros) - 0x80000000u;
    const int32_t scale = reciprocal_of_one_plus(static_cast<int32_t>(fraction));
    const int shift = over + 31 - 8;
    for (uint32_t i = 0; i < depth; ++i) {
      const int32_t diff = x[i] - largest;
      int64_t v = -128;
      if (diff >= a.diff_min) v += rounding_divide_pot(mul(scale, e(diff)), shift);
      y[i] = static_cast<int8_t>(clamp(v, -128, 127));
    }
  }
}

const char* price(const Task& task) {
  return task.count == 3 ? "softmax_i8_table" : "softmax_i8";
}

}  // namespace

// {x i8, table f32 [256] or none, y i8}: over the last axis; presil_softmax_attributes, of which
// none count where there is a table.
const Kernel kSoftmaxI8{
    "softmax_i8", sizeof(presil_softmax_attributes), 1, check, run, elements_written, price};

}  // namespace presil::kernels
