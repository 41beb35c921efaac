// The stored number as one of another type; scales play no part.
//   integer to integer: its low bits; to float32: the nearest, ties to even; to bool: whether it is
//   not 0; bool to any: 0 or 1; float32 to integer: without its fraction. Where no such integer
//   exists, which the runtimes leave open: the nearest that does; what is no number becomes 0.
#include <cmath>
#include <limits>

#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {
namespace {

template <class To>
To without_fraction(float x) {
  // In double every bound of up to 32 bits is exact; above 2^63 - 1 lies 2^63, below is none.
  const double value = std::trunc(static_cast<double>(x));
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(std::numeric_limits<To>::min())) {
    return std::numeric_limits<To>::min();
  }
  if (value >= static_cast<double>(std::numeric_limits<To>::max())) {
    return std::numeric_limits<To>::max();
  }
  return static_cast<To>(value);
}

template <class From, class To>
To converted(From x) {
  if constexpr (std::is_same_v<From, float> && std::is_integral_v<To>) {
    return without_fraction<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <class From, class To>
void convert(const Case& c) {
  const bool to_bool = c.out().dtype == ir::DType::kBool,
             from_bool = c.in().dtype == ir::DType::kBool;
  for (int64_t i = 0; i < c.in().elements(); ++i) {
    const From x = c.read<From>()[i];
    const bool is_set = x != From{0};
    c.write<To>()[i] = to_bool || from_bool ? static_cast<To>(is_set) : converted<From, To>(x);
  }
}

template <class From>
void from(const Case& c) {
  switch (c.out().dtype) {
    case ir::DType::kInt8:
      return convert<From, int8_t>(c);
    case ir::DType::kUint8:
    case ir::DType::kBool:
      return convert<From, uint8_t>(c);
    case ir::DType::kInt16:
      return convert<From, int16_t>(c);
    case ir::DType::kInt32:
      return convert<From, int32_t>(c);
    case ir::DType::kInt64:
      return convert<From, int64_t>(c);
    case ir::DType::kFloat32:
      return convert<From, float>(c);
  }
}

}  // namespace

void cast(const Case& c) {
  switch (c.in().dtype) {
    case ir::DType::kInt8:
      return from<int8_t>(c);
    case ir::DType::kUint8:
    case ir::DType::kBool:
      return from<uint8_t>(c);
    case ir::DType::kInt16:
      return from<int16_t>(c);
    case ir::DType::kInt32:
      return from<int32_t>(c);
    case ir::DType::kInt64:
      return from<int64_t>(c);
    case ir::DType::kFloat32:
      return from<float>(c);
  }
}

}  // namespace presil::reference::operators
