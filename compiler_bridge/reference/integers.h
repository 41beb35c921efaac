// Operators on stored integers: values of any integer type, read and written as int64.
#pragma once

#include <cstring>
#include <limits>
#include <vector>

#include "compiler_bridge/reference/case.h"
#include "compiler_bridge/reference/walk.h"

namespace presil::reference {

/// Every element of an input. @p unsigned_bits  as numbers from 0 on
inline std::vector<int64_t> integers(const Case& c, size_t input, bool unsigned_bits = false) {
  const ir::Tensor& tensor = c.in(input);
  std::vector<int64_t> values(static_cast<size_t>(tensor.elements()));
  const auto take = [&](auto signed_type, auto unsigned_type) {
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = unsigned_bits ? static_cast<int64_t>(c.read<decltype(unsigned_type)>(input)[i])
                                : static_cast<int64_t>(c.read<decltype(signed_type)>(input)[i]);
    }
  };
  switch (ir::size_of(tensor.dtype)) {
    case 1:
      take(int8_t{}, uint8_t{});
      break;
    case 2:
      take(int16_t{}, uint16_t{});
      break;
    case 4:
      take(int32_t{}, uint32_t{});
      break;
    default:
      take(int64_t{}, uint64_t{});
      break;
  }
  return values;
}

/// Low bits of a number as element i of the result.
inline void store(const Case& c, size_t i, int64_t value) {
  const size_t size = ir::size_of(c.out().dtype);
  std::memcpy(c.write<uint8_t>() + i * size, &value, size);
}

/// What an integer of so many bytes can be.
inline int64_t least_of(size_t bytes, bool is_unsigned) {
  return is_unsigned ? 0 : -(int64_t{1} << (8 * bytes - 1));
}
inline int64_t most_of(size_t bytes, bool is_unsigned) {
  return (int64_t{1} << (8 * bytes - (is_unsigned ? 0 : 1))) - 1;
}
inline int64_t limited(int64_t value, int64_t least, int64_t most) {
  return value < least ? least : value > most ? most : value;
}

/// f(a, b) for every element of the result, in whose shape both are seen as in numpy.
template <class F>
void for_each_integer_pair(const Case& c, const F& f) {
  const std::vector<int64_t> a = integers(c, 0), b = integers(c, 1);
  const auto& shape = c.out().shape;
  const auto seen = [&](const std::vector<int64_t>& own) {
    std::vector<int64_t> strides = strides_of(own), all(shape.size(), 0);
    for (size_t i = 0; i < own.size(); ++i) {
      all[shape.size() - own.size() + i] = own[i] == 1 ? 0 : strides[i];
    }
    return all;
  };
  const std::vector<int64_t> step_a = seen(c.in(0).shape), step_b = seen(c.in(1).shape);
  size_t i = 0;
  for_each_index(shape, [&](const std::vector<int64_t>& index) {
    store(c, i++,
          f(a[static_cast<size_t>(offset(index, step_a))],
            b[static_cast<size_t>(offset(index, step_b))]));
  });
}

}  // namespace presil::reference
