// Logarithm of the softmax over the last axis in fixed point, the integer rule of TFLite's kernels;
// with a table of exponentials by distance from the row's largest, LiteRT's in float32:
//   sum of the row's from the left, y = rint_even(ratio * x - (scale * largest + ln sum) * 16) +
//   127
// A value "Qi" is an int32 with i integer bits.
#include "driver/kernels/host/exponential.h"
#include "driver/kernels/host/float_functions.h"

namespace presil::kernels {
namespace {

constexpr int kOutZero = 127;

struct Row {
  const int8_t* x;
  int8_t* y;
  uint32_t depth;
  int32_t largest;
};

template <class F>
void each_row(const Task& task, F&& f) {
  const uint32_t depth = task[0].shape[task[0].rank - 1];
  const int8_t* x = task.data<const int8_t>(0);
  int8_t* y = task.data<int8_t>(task.count - 1);
  for (uint64_t row = presil_tensor_elements(&task[0]) / depth; row > 0; --row) {
    int32_t largest = -128;
    for (uint32_t i = 0; i < depth; ++i) largest = x[i] > largest ? x[i] : largest;
    f(Row{x, y, depth, largest});
    x += depth, y += depth;
  }
}

/// One of two ways to bring a number above 0 into a range around 1: as Q0, and the power of two
/// that was taken out, less or more a quarter, as Q6.
struct Normal {
  int32_t fraction, power;
};

int32_t power_of_two(int whole, int32_t quarter) {
  return saturate32(int64_t{shift_left(whole, 25)} + quarter);
}

/// ln of a Q12 number from 2^-19 on, as Q5: z = 2^k r, r near 2^(-1/4); ln r by a quotient of
/// polynomials in r - 2^(-1/4).
int32_t log_q5(int32_t z) {
  constexpr int32_t kLn2 = 1488522236, kFourthRoot = 1805811301, kRoot = 1518500250;
  constexpr int32_t kCubic = 117049297, kSquare = 127690142, kConstant = 1057819769,
                    kLinear = 638450708;
  constexpr int32_t kQuarter = 1 << 23;
  const int left = leading_zeros(static_cast<uint32_t>(z));
  const Normal above = {shift_left(mul(shift_left(z, left - 1), kRoot), 1),
                        power_of_two(12 - left, kQuarter)};
  const int room = leading_zeros(static_cast<uint32_t>(mul(z, kRoot))) - 1;
  const Normal below = {shift_left(z, room), power_of_two(12 - room, -kQuarter)};
  const int32_t r = above.fraction < below.fraction ? above.fraction : below.fraction;
  const int32_t power = above.power > below.power ? above.power : below.power;
  const int64_t sum = int64_t{r} + kFourthRoot;
  const int32_t half = static_cast<int32_t>((sum + (sum >= 0 ? 1 : -1)) / 2);
  const int32_t q = wrap_mul(2, wrap_add(r, -kFourthRoot));
  const int32_t q2 = mul(q, q);
  const int32_t above_line = wrap_add(mul(q, r), mul(mul(q, q2), kCubic));
  const int32_t below_line =
      wrap_add(mul(half, wrap_add(wrap_add(kConstant, q), mul(kSquare, q2))), mul(kLinear, q));
  const int32_t quotient = mul(rounding_divide_pot(above_line, 6),  // Q0 to Q6
                               reciprocal_of_one_plus(below_line));
  return shift_left(wrap_add(mul(power, kLn2), quotient), 1);
}

void check(const Task& task, Check& c) {
  const bool by_table = task.count == 3;
  if (!by_table && !c.count(2)) return;
  const uint32_t y = task.count - 1;
  c.dtype(0, PRESIL_INT8);
  c.dtype(y, PRESIL_INT8);
  c.at_least("rank", task[0].rank, 1);
  c.elements(y, presil_tensor_elements(&task[0]));
  if (by_table) {
    c.dtype(1, PRESIL_FLOAT32);
    c.elements(1, 256);
    return;
  }
  const auto a = task.as<presil_log_softmax_attributes>();
  c.at_least("multiplier", a.multiplier, 1);
  c.range("left_shift", a.left_shift, 0, 31);
  c.range("diff_min", a.diff_min, -(int64_t{1} << 31), 0);
  // The Q12 sum holds 4095 terms of at most 1.
  if (c.ok()) c.at_most("size of the last axis", task[0].shape[task[0].rank - 1], 4095);
}

void run_by_table(const Task& task) {
  const auto a = task.as<presil_log_softmax_attributes>();
  const float* table = task.data<const float>(1);
  each_row(task, [&](const Row& row) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < row.depth; ++i) sum = sum + table[row.largest - row.x[i]];
    const float log = static_cast<float>(log_f64(static_cast<double>(sum)));
    const float offset = (a.scale * static_cast<float>(row.largest) + log) * 16.0f;
    for (uint32_t i = 0; i < row.depth; ++i) {
      const int32_t v = round_even(a.ratio * static_cast<float>(row.x[i]) - offset);
      row.y[i] = finish(v, kOutZero, -128, 127);
    }
  });
}

void run(const Task& task) {
  if (task.count == 3) return run_by_table(task);
  const auto a = task.as<presil_log_softmax_attributes>();
  const auto rescaled = [&a](int32_t diff) {
    return mul(saturate32(static_cast<int64_t>(diff) * (int64_t{1} << a.left_shift)), a.multiplier);
  };
  each_row(task, [&](const Row& row) {
    int32_t sum = 0;
    for (uint32_t i = 0; i < row.depth; ++i) {
      const int32_t diff = row.x[i] - row.largest;
      if (diff < a.diff_min) continue;
      sum = wrap_add(sum, rounding_divide_pot(exp_negative(rescaled(diff)), 12));
    }
    const int32_t log = log_q5(sum);
    const int32_t range =
        double_rounding(wrap_add(log, INT32_MIN), a.reverse_multiplier, a.reverse_shift);
    const int32_t least = range > a.diff_min - 1 ? range : a.diff_min - 1;
    for (uint32_t i = 0; i < row.depth; ++i) {
      const int32_t diff = row.x[i] - row.largest;
      const int32_t v = rounding_divide_pot(wrap_add(rescaled(diff), -log), 22);
      row.y[i] = diff > least ? finish(v, kOutZero, -128, 127) : INT8_MIN;
    }
  });
}

const char* price(const Task& task) {
  return task.count == 3 ? "log_softmax_i8_table" : "log_softmax_i8";
}

}  // namespace

// {x i8, table f32 [256] or none, y i8 in steps of 1/16 below 127}: over the last axis;
// presil_log_softmax_attributes.
const Kernel kLogSoftmaxI8{"log_softmax_i8",
                           sizeof(presil_log_softmax_attributes),
                           1,
                           check,
                           run,
                           elements_written,
                           price};

}  // namespace presil::kernels
