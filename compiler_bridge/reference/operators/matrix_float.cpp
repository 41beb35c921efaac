// fully_connected: y[row, k] = clamp(bias[k] + sum over c of x[row, c] * w[k, c]).
// batch_matmul: y[.., m, n] = sum over k of a[.., m, k] * b[.., k, n], each leading axis of 1 (or
// none) read again for every index of the other's.
// Sums of products in the order of float_order.h.
#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference {
namespace {

/// y[j] = sums of row x and all columns, begun at bias[j] and ended by bounds.
void row_by_columns(const float* x, const Columns& columns, int64_t terms,
                    const std::vector<float>& bias, const Bounds& bounds, float* y) {
  for (int64_t block = 0; block < columns.blocks(); ++block) {
    const int64_t first = block * Columns::kBlock, count = columns.columns(block);
    float sums[Columns::kBlock];
    std::copy_n(bias.data() + first, Columns::kBlock, sums);
    columns.add(sums, block, 0, x, terms);
    for (int64_t k = 0; k < count; ++k) y[first + k] = clamped(sums[k], bounds);
  }
}

/// Strides, in matrices, by leading axis of y; 0: the axis broadcasts.
std::vector<int64_t> matrix_strides(const std::vector<int64_t>& shape, size_t leading) {
  std::vector<int64_t> strides(leading, 0);
  int64_t step = 1;
  for (size_t axis = shape.size() - 2; axis-- > 0; step *= shape[axis]) {
    if (shape[axis] != 1) strides[leading + axis + 2 - shape.size()] = step;
  }
  return strides;
}

}  // namespace

void fully_connected_float(const Case& c) {
  if (c.in(1).dtype == ir::DType::kInt8) return fully_connected_hybrid(c);
  const int64_t outputs = c.in(1).shape[0], inputs = c.in(1).shape[1];
  const float *x = c.read<float>(0), *w = c.read<float>(1);
  const Columns columns(inputs, outputs, [&](int64_t i, int64_t k) { return w[k * inputs + i]; });
  const Bounds bounds = bounds_of(c.attributes<ir::FullyConnected>().act);
  const std::vector<float> bias = float_bias(c, outputs);
  float* y = c.write<float>();
  for (int64_t row = 0; row < c.in(0).elements() / inputs; ++row, x += inputs, y += outputs) {
    row_by_columns(x, columns, inputs, bias, bounds, y);
  }
}

void batch_matmul_float(const Case& c) {
  const auto& m = c.attributes<ir::BatchMatmul>();
  const auto &as = c.in(0).shape, &bs = c.in(1).shape, &ys = c.out().shape;
  const int64_t a_rows = as[as.size() - 2], a_columns = as.back();
  const int64_t b_rows = bs[bs.size() - 2], b_columns = bs.back();
  const int64_t terms = m.transpose_a ? a_rows : a_columns;
  const int64_t rows = ys[ys.size() - 2], width = ys.back();
  const std::vector<int64_t> leading(ys.begin(), ys.end() - 2);
  const auto a_strides = matrix_strides(as, leading.size());
  const auto b_strides = matrix_strides(bs, leading.size());
  const std::vector<float> zeros(static_cast<size_t>(width + Columns::kBlock), 0.0f);
  const Bounds bounds = bounds_of(ir::Activation::kNone);
  std::vector<float> row(static_cast<size_t>(terms));
  float* y = c.write<float>();
  for_each_index(leading, [&](const std::vector<int64_t>& index) {
    const float* a = c.read<float>(0) + offset(index, a_strides) * a_rows * a_columns;
    const float* b = c.read<float>(1) + offset(index, b_strides) * b_rows * b_columns;
    const Columns columns(terms, width, [&](int64_t k, int64_t n) {
      return m.transpose_b ? b[n * b_columns + k] : b[k * b_columns + n];
    });
    for (int64_t i = 0; i < rows; ++i, y += width) {
      for (int64_t k = 0; k < terms; ++k) {
        row[static_cast<size_t>(k)] = m.transpose_a ? a[k * a_columns + i] : a[i * a_columns + k];
      }
      row_by_columns(row.data(), columns, terms, zeros, bounds, y);
    }
  });
}

}  // namespace presil::reference
