// y[.., m, n] = requantise(sum over k of (a[.., m, k] - a zero point) * (b[.., k, n] - b zero
// point)), for each index of the leading axes, where an axis of 1 (or none) of a or b is read again
// for every index of the other's. With transpose_a (transpose_b) a is [.., k, m] (b is [.., n, k]).
// int8: acc is int32 and wraps, then as fully connected with one weight scale (requantize.h), under
// xnnpack where b's zero point is 0: others XNNPACK does not take, LiteRT computes them by TFLite's
// own kernel, the rule of tflite. int16: acc is int64. (TFLite and TFLite Micro batch_matmul.)
#include "compiler_bridge/ir/shape.h"
#include "compiler_bridge/reference/accumulate.h"
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/requantize.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference::operators {
namespace {

/// Matrices [rows, columns] of a tensor, one after another, and which of them stands at an index of
/// y's leading axes.
struct Matrices {
  int64_t rows, columns;
  std::vector<int64_t> strides;  ///< by leading axis of y, in matrices; 0: the axis broadcasts

  Matrices(const ir::Shape& shape, size_t leading) : strides(leading, 0) {
    rows = shape[shape.size() - 2], columns = shape[shape.size() - 1];
    int64_t step = 1;
    for (size_t back = 3; back <= shape.size(); ++back) {
      const int64_t extent = shape[shape.size() - back];
      if (extent != 1) strides[leading + 2 - back] = step;
      step *= extent;
    }
  }
};

/// Row i, element j of a matrix, or of its transpose, as rows that lie one after another.
template <class T>
std::vector<int16_t> rows_of(const T* values, int64_t rows, int64_t columns, bool transposed,
                             int32_t zero_point) {
  std::vector<int16_t> wide;
  for (int64_t i = 0; i < (transposed ? columns : rows); ++i) {
    for (int64_t j = 0; j < (transposed ? rows : columns); ++j) {
      const int64_t at = transposed ? j * columns + i : i * columns + j;
      wide.push_back(static_cast<int16_t>(values[at] - zero_point));
    }
  }
  return wide;
}

int64_t long_dot(const int16_t* a, const int16_t* b, size_t count) {
  int64_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += int64_t{a[i]} * b[i];
  return sum;
}

/// @param result  of a row of a and a column of b
template <class T, class Result>
void products(const Case& c, const Result& result) {
  const auto& m = c.attributes<ir::BatchMatmul>();
  ir::Shape leading(c.out().shape.begin(), c.out().shape.end() - 2);
  const Matrices a(c.in(0).shape, leading.size()), b(c.in(1).shape, leading.size());
  T* y = c.write<T>();
  for_each_index(leading, [&](const std::vector<int64_t>& index) {
    const T* from_a = c.read<T>(0) + offset(index, a.strides) * a.rows * a.columns;
    const T* from_b = c.read<T>(1) + offset(index, b.strides) * b.rows * b.columns;
    const auto rows =
        rows_of(from_a, a.rows, a.columns, m.transpose_a, c.in(0).quantization.zero_point());
    const auto columns =
        rows_of(from_b, b.rows, b.columns, !m.transpose_b, c.in(1).quantization.zero_point());
    const auto terms = static_cast<size_t>(m.transpose_a ? a.rows : a.columns);
    for (size_t i = 0; i < rows.size(); i += terms) {
      for (size_t j = 0; j < columns.size(); j += terms) {
        *y++ = result(rows.data() + i, columns.data() + j, terms);
      }
    }
  });
}

}  // namespace

void batch_matmul(const Case& c) {
  if (c.floats()) return batch_matmul_float(c);
  if (c.out().dtype == ir::DType::kInt16) {
    const WideRequantizer requantize(c, ir::Activation::kNone);
    return products<int16_t>(c, [&](const int16_t* a, const int16_t* b, size_t terms) {
      return requantize(long_dot(a, b, terms), 0);
    });
  }
  const Requantizer requantize(c, ir::Activation::kNone);
  products<int8_t>(c, [&](const int16_t* a, const int16_t* b, size_t terms) {
    return requantize(dot(a, b, terms), 0);
  });
}

}  // namespace presil::reference::operators
