// Indices of dense tensors of any rank.
#pragma once

#include <cstdint>
#include <vector>

namespace presil::reference {

/// Elements from one index to the next along each axis of a dense tensor.
inline std::vector<int64_t> strides_of(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

/// Calls visit(index) for every index of the shape, last axis fastest.
template <class Visit>
void for_each_index(const std::vector<int64_t>& shape, Visit visit) {
  std::vector<int64_t> index(shape.size(), 0);
  for (;;) {
    visit(index);
    size_t axis = shape.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

inline int64_t offset(const std::vector<int64_t>& index, const std::vector<int64_t>& strides) {
  int64_t sum = 0;
  for (size_t i = 0; i < index.size(); ++i) sum += index[i] * strides[i];
  return sum;
}

}  // namespace presil::reference
