// Along some axes: the terms of a result in the order of their indices, last axis fastest.
// sum: sum16 (float_order.h) of the n terms; mean: that divided by n; reduce_max: larger of all,
// from -infinity on; reduce_min: smaller of all, from infinity on.
#include <algorithm>
#include <limits>

#include "compiler_bridge/reference/float32.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference {
namespace {

/// reduce.add(i, term) for every element of x, where i is the result that it belongs to.
template <class Add>
void for_each_term(const Case& c, const std::vector<int64_t>& axes, const Add& add) {
  std::vector<int64_t> kept = c.in().shape;
  for (const int64_t axis : axes) kept[static_cast<size_t>(axis)] = 1;
  std::vector<int64_t> strides = strides_of(kept);
  for (const int64_t axis : axes) strides[static_cast<size_t>(axis)] = 0;
  const float* x = c.read<float>();
  for_each_index(c.in().shape, [&](const std::vector<int64_t>& index) {
    add(static_cast<size_t>(offset(index, strides)), *x++);
  });
}

std::vector<Sum16> sums_of(const Case& c) {
  std::vector<Sum16> sums(static_cast<size_t>(c.out().elements()));
  for_each_term(c, c.attributes<ir::Reduce>().axes,
                [&](size_t i, float term) { sums[i].add(term); });
  return sums;
}

template <class Better>
void best_of(const Case& c, float start, const Better& better) {
  float* y = c.write<float>();
  std::fill_n(y, c.out().elements(), start);
  for_each_term(c, c.attributes<ir::Reduce>().axes,
                [&](size_t i, float term) { y[i] = better(y[i], term); });
}

}  // namespace

void sum_float(const Case& c) {
  float* y = c.write<float>();
  for (const Sum16& sum : sums_of(c)) *y++ = settled(sum.total());
}

void reduce_max_float(const Case& c) {
  best_of(c, -std::numeric_limits<float>::infinity(), larger);
}

void reduce_min_float(const Case& c) {
  best_of(c, std::numeric_limits<float>::infinity(), smaller);
}

void mean_float(const Case& c) {
  const std::vector<Sum16> sums = sums_of(c);
  const auto n = static_cast<float>(c.in().elements() / c.out().elements());
  float* y = c.write<float>();
  for (const Sum16& sum : sums) *y++ = settled(sum.total() / n);
}

}  // namespace presil::reference
