#include "compiler_bridge/reference/float_products.h"

#include <cmath>

namespace presil::reference {
namespace {

// One text, compiled for every processor and, on x86-64, once more for those with fma: elsewhere
// std::fma is a call.
#define PRESIL_PRODUCTS(attributes, suffix)                                                       \
  attributes void products_##suffix(float* sums, const float* x, const float* w, int64_t count) { \
    float s[kSumsSideBySide];                                                                     \
    for (int64_t k = 0; k < kSumsSideBySide; ++k) s[k] = sums[k];                                 \
    for (int64_t i = 0; i < count; ++i, w += kSumsSideBySide) {                                   \
      for (int64_t k = 0; k < kSumsSideBySide; ++k) s[k] = std::fma(x[i], w[k], s[k]);            \
    }                                                                                             \
    for (int64_t k = 0; k < kSumsSideBySide; ++k) sums[k] = s[k];                                 \
  }                                                                                               \
  attributes void pairs_##suffix(float* sums, const float* x, const float* w, int64_t count,      \
                                 int64_t repeat) {                                                \
    if (repeat == 1) {                                                                            \
      for (int64_t k = 0; k < count; ++k) sums[k] = std::fma(x[k], w[k], sums[k]);                \
      return;                                                                                     \
    }                                                                                             \
    for (int64_t k = 0; k < count; ++k) sums[k] = std::fma(x[k / repeat], w[k], sums[k]);         \
  }

PRESIL_PRODUCTS(, common)
#if defined(__x86_64__)
PRESIL_PRODUCTS(__attribute__((target("avx2,fma"))), fused)
bool fuses() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
constexpr auto products_fused = products_common;
constexpr auto pairs_fused = pairs_common;
constexpr bool fuses() {
  return false;
}
#endif

}  // namespace

void add_products(float* sums, const float* x, const float* w, int64_t count) {
  fuses() ? products_fused(sums, x, w, count) : products_common(sums, x, w, count);
}

void add_pairs(float* sums, const float* x, const float* w, int64_t count, int64_t repeat) {
  fuses() ? pairs_fused(sums, x, w, count, repeat) : pairs_common(sums, x, w, count, repeat);
}

}  // namespace presil::reference
