// Sums of products of floats, each product added and rounded once (fma), many sums side by side.
#pragma once

#include <cstdint>

namespace presil::reference {

constexpr int64_t kSumsSideBySide = 16;

/// sums[k] = fma(x[i], w[16 * i + k], sums[k]) for k below 16, i from 0 to count - 1.
void add_products(float* sums, const float* x, const float* w, int64_t count);

/// sums[k] = fma(x[k / repeat], w[k], sums[k]) for k below count.
void add_pairs(float* sums, const float* x, const float* w, int64_t count, int64_t repeat);

}  // namespace presil::reference
