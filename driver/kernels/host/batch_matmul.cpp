// Products of matrices that both are computed: y[.., m, n] = sum over k of a[.., m, k] * b[.., k,
// n], of int8 above their zeros (sums of int32 that wrap, double rounding or float), int16 (int64,
// rule wide) or float (from +0, k ascending, fused).
#include "driver/kernels/host/float_math.h"
#include "driver/kernels/host/walk.h"
#include "driver/kernels/host/wide.h"

namespace presil::kernels {
namespace {

enum : uint32_t { kA, kB, kProduct, kTensors };

/// Elements from one row and column of the product, and one term of its sum, to the next.
struct Matrix {
  int64_t outer, term;  ///< outer: m of a, n of b
  uint32_t outers, terms;
};

Matrix matrix(const Tensor& t, bool outer_first) {
  const uint32_t rows = t.shape[t.rank - 2], columns = t.shape[t.rank - 1];
  return outer_first ? Matrix{columns, 1, rows, columns} : Matrix{1, columns, columns, rows};
}
Matrix left(const Task& task, const presil_batch_matmul_attributes& a) {
  return matrix(task[kA], a.transpose_a == 0);
}
Matrix right(const Task& task, const presil_batch_matmul_attributes& a) {
  return matrix(task[kB], a.transpose_b != 0);
}

void check(const Task& task, Check& c, uint32_t dtype) {
  if (!c.count(kTensors)) return;
  for (uint32_t i = 0; i < kTensors; ++i) {
    c.dtype(i, dtype);
    if (task[i].rank < 2) c.refuse("rank", static_cast<int>(i), task[i].rank, 2);
  }
  if (!c.ok()) return;
  const auto a = task.as<presil_batch_matmul_attributes>();
  c.range("transpose_a", a.transpose_a, 0, 1);
  c.range("transpose_b", a.transpose_b, 0, 1);
  if (!c.ok()) return;
  const Tensor& y = task[kProduct];
  c.dim(kProduct, y.rank - 2, left(task, a).outers);
  c.dim(kProduct, y.rank - 1, right(task, a).outers);
  c.dim(kB, task[kB].rank - (a.transpose_b != 0 ? 1 : 2), left(task, a).terms);
  for (uint32_t i = kA; i <= kB; ++i) {
    const Tensor& t = task[i];
    if (t.rank > y.rank) c.refuse("rank", static_cast<int>(i), t.rank, y.rank);
    for (uint32_t axis = 0; axis + 2 < t.rank && c.ok(); ++axis) {
      if (t.shape[axis] != 1) c.dim(i, axis, y.shape[axis + y.rank - t.rank]);
    }
  }
  const int32_t low = dtype == PRESIL_INT8 ? -128 : 0, high = dtype == PRESIL_INT8 ? 127 : 0;
  c.range("a_zero", a.a_zero, low, high);
  c.range("b_zero", a.b_zero, low, high);
  c.range("out_zero", a.out_zero, low, high);
  c.range("rule", a.rule, PRESIL_RULE_DOUBLE,
          dtype == PRESIL_INT8 ? PRESIL_RULE_FLOAT : PRESIL_RULE_DOUBLE);
}

void check_i8(const Task& task, Check& c) {
  check(task, c, PRESIL_INT8);
}
void check_i16(const Task& task, Check& c) {
  check(task, c, PRESIL_INT16);
}

void check_f32(const Task& task, Check& c) {
  check(task, c, PRESIL_FLOAT32);
}

uint64_t macs(const Task& task) {
  const auto a = task.as<presil_batch_matmul_attributes>();
  return presil_tensor_elements(&task[kProduct]) * left(task, a).terms;
}

/// For each pair of matrices; `result` makes an element of y from a row and a column.
template <class T, class Result>
void for_each_product(const Task& task, const Result& result) {
  const auto attributes = task.as<presil_batch_matmul_attributes>();
  const Matrix a = left(task, attributes), b = right(task, attributes);
  const Tensor& y = task[kProduct];
  Walk<2> batches;
  batches.rank = y.rank - 2;
  for (uint32_t i = 0; i < batches.rank; ++i) batches.shape[i] = y.shape[i];
  int64_t strides[PRESIL_KERNEL_MAX_RANK] = {};
  for (uint32_t i = kA; i <= kB; ++i) {
    broadcast_strides(task[i], y.rank, strides);
    for (uint32_t axis = 0; axis < batches.rank; ++axis) batches.stride[i][axis] = strides[axis];
  }
  T* to = task.data<T>(kProduct);
  const uint64_t count = batches.size();
  for (uint64_t i = 0; i < count; ++i, batches.next()) {
    for (uint32_t m = 0; m < a.outers; ++m) {
      const T* row = task.data<const T>(kA) + batches.at[kA] + m * a.outer;
      for (uint32_t n = 0; n < b.outers; ++n) {
        const T* column = task.data<const T>(kB) + batches.at[kB] + n * b.outer;
        *to++ = result(row, a.term, column, b.term, a.terms);
      }
    }
  }
}

void run_i8(const Task& task) {
  const auto p = task.as<presil_batch_matmul_attributes>();
  for_each_product<int8_t>(task, [&](const int8_t* a, int64_t step_a, const int8_t* b,
                                     int64_t step_b, uint32_t terms) {
    int32_t acc = 0;
    for (uint32_t k = 0; k < terms; ++k, a += step_a, b += step_b) {
      acc = wrap_add(acc, (*a - p.a_zero) * (*b - p.b_zero));
    }
    return finish(apply_rule(p.rule, acc, p.multiplier, p.shift), p.out_zero, INT8_MIN, INT8_MAX);
  });
}

void run_i16(const Task& task) {
  const auto p = task.as<presil_batch_matmul_attributes>();
  for_each_product<int16_t>(task, [&](const int16_t* a, int64_t step_a, const int16_t* b,
                                      int64_t step_b, uint32_t terms) {
    int64_t acc = 0;
    for (uint32_t k = 0; k < terms; ++k, a += step_a, b += step_b) {
      acc = wrap_add64(acc, int64_t{*a} * *b);
    }
    return static_cast<int16_t>(clamp(rule_wide(acc, p.multiplier, p.shift), INT16_MIN, INT16_MAX));
  });
}

void run_f32(const Task& task) {
  for_each_product<float>(
      task, [](const float* a, int64_t step_a, const float* b, int64_t step_b, uint32_t terms) {
        float sum = 0.0f;
        for (uint32_t k = 0; k < terms; ++k, a += step_a, b += step_b) sum = fused(*a, *b, sum);
        return number_or_nan(sum);
      });
}

}  // namespace

// {a [.., m,k], b [.., k,n], y [.., m,n]}, i8: double rounding of the sum over k of (a - a_zero) *
// (b - b_zero); axes before the last two broadcast as in numpy; presil_batch_matmul_attributes.
// I16: i16, zeros 0, sums of int64 that wrap, rule wide.
const Kernel kBatchMatmulI8{
    "batch_matmul_i8", sizeof(presil_batch_matmul_attributes), 1, check_i8, run_i8, macs};
const Kernel kBatchMatmulI16{
    "batch_matmul_i16", sizeof(presil_batch_matmul_attributes), 1, check_i16, run_i16, macs};
// As the int8 one; zeros 0, no multiplier.
const Kernel kBatchMatmulF32{
    "batch_matmul_f32", sizeof(presil_batch_matmul_attributes), 1, check_f32, run_f32, macs};

}  // namespace presil::kernels
