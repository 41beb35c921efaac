// Operators of float32, beside those of integers; their order is that of float_order.h.
#pragma once

#include <algorithm>
#include <vector>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/float_order.h"
#include "compiler_bridge/reference/float_products.h"

namespace presil::reference {

void conv2d_float(const Case& c);              ///< operators/conv2d_float.cpp
void depthwise_conv2d_float(const Case& c);    ///< operators/depthwise_conv2d_float.cpp
void transpose_conv2d_float(const Case& c);    ///< operators/transpose_conv2d_float.cpp
void fully_connected_float(const Case& c);     ///< operators/matrix_float.cpp
void conv2d_hybrid(const Case& c);             ///< operators/hybrid.cpp: weights of int8
void depthwise_conv2d_hybrid(const Case& c);   ///< likewise
void fully_connected_hybrid(const Case& c);    ///< likewise
void batch_matmul_float(const Case& c);        ///< likewise
void add_float(const Case& c, int sign);       ///< operators/pairs_float.cpp
void mul_float(const Case& c);                 ///< likewise
void div_float(const Case& c);                 ///< likewise
void squared_difference_float(const Case& c);  ///< likewise
void prelu_float(const Case& c);               ///< likewise
void average_pool2d_float(const Case& c);      ///< operators/pool_float.cpp
void max_pool2d_float(const Case& c);          ///< likewise
void mean_float(const Case& c);                ///< operators/reduce_float.cpp
void sum_float(const Case& c);                 ///< likewise
void reduce_max_float(const Case& c);          ///< likewise
void reduce_min_float(const Case& c);          ///< likewise
void maximum_float(const Case& c);             ///< operators/pairs_float.cpp
void minimum_float(const Case& c);             ///< likewise
void floor_div_float(const Case& c);           ///< likewise
void floor_mod_float(const Case& c);           ///< likewise
void softmax_float(const Case& c);             ///< operators/softmax_float.cpp
void log_softmax_float(const Case& c);
void l2_normalize_float(const Case& c);     ///< likewise
void function_float(const Case& c);         ///< operators/functions_float.cpp: of one value
void resize_bilinear_float(const Case& c);  ///< operators/resize_bilinear_float.cpp

/// Columns of a matrix [terms, columns] in blocks of 16, so that as many sums run side by side:
/// the loops over a block become vector instructions, each sum keeps its order.
class Columns {
 public:
  static constexpr int64_t kBlock = kSumsSideBySide;

  /// at(term, column) are the elements.
  template <class At>
  Columns(int64_t terms, int64_t columns, const At& at)
      : m_terms(terms), m_columns(columns), m_values(blocks() * terms * kBlock, 0.0f) {
    for (int64_t k = 0; k < columns; ++k) {
      float* to = m_values.data() + k / kBlock * terms * kBlock + k % kBlock;
      for (int64_t i = 0; i < terms; ++i) to[i * kBlock] = at(i, k);
    }
  }
  int64_t blocks() const { return (m_columns + kBlock - 1) / kBlock; }
  /// Of the last block there are fewer.
  int64_t columns(int64_t block) const {
    const int64_t left = m_columns - block * kBlock;
    return left < kBlock ? left : kBlock;
  }
  /// sums[k] = fma(x[i], element (first + i, block * 16 + k), sums[k]), i ascending.
  void add(float* sums, int64_t block, int64_t first, const float* x, int64_t count) const {
    add_products(sums, x, m_values.data() + (block * m_terms + first) * kBlock, count);
  }

 private:
  int64_t m_terms, m_columns;
  std::vector<float> m_values;
};

/// Input 2, of +0 where the op has none, and 0 up to a whole block.
inline std::vector<float> float_bias(const Case& c, int64_t channels) {
  std::vector<float> bias(static_cast<size_t>(channels + Columns::kBlock), 0.0f);
  if (c.has(2)) std::copy_n(c.read<float>(2), channels, bias.begin());
  return bias;
}

}  // namespace presil::reference
